import Foundation
import NetKit

// Requests that something is wrong with, and some that look like it.
extension LintCases {
    struct WithPath: Request {
        typealias ResponseObjectType = Void
        var path = "users/{id}"
        @Path("id") var id: Int?
    }

    struct NearlyTyped: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        let timeout = 60.0
        let headers = [RequestHeaderKey("k"): "v"]
        let priority: RequestPriority? = .high
    }

    struct WithColon: Request {
        typealias ResponseObjectType = Void
        var path = "users/:id"
        @Path("id", encoding: PathEncoding(pattern: ":key")) var id = 1
    }

    struct WithQuery: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        var queryParams: [(String, String)] = []
        @Query("q") var text: String
        @Query("tag", encoding: URLEncoding(arrays: .repeated)) var tags = ["a", "b"]
    }

    struct WithHeader: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        var headers: HTTPHeaders = [:]
        var authToken: AuthToken?
        @Header("X-Trace") var trace: String
        @Header("Authorization") var authorization: String?
    }

    struct WithRawData: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        let method: HTTPMethod = .post
        var body: RequestBody?
        var headers: HTTPHeaders = [:]
        @RawData var data: Data
    }

    struct WithMethodText: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        var method = "POST"
        var body: RequestBody?
    }

    struct WithObject: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        var method: HTTPMethod = .post
        var body: RequestBody?
        @Object var item: [String: Int]
    }

    struct WithTwoObjects: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        let method: HTTPMethod = .post
        @Object var item = ["a": 1]
        @Object(encoding: .form()) var other = ["b": 1]
        @Object(encoding: .query()) var filter = ["c": 1]
    }

    struct RawUpload: MultipartFormDataRequest {
        typealias ResponseObjectType = Void
        let path = "x"
        let method: HTTPMethod = .post
        let files: [any MultipartFile] = []
        @RawData var data = Data()
    }

    /// As much as possible at once.
    struct Careless: Request {
        typealias ResponseObjectType = Void
        let path = "a/../{id}?token=1"
        let body: RequestBody? = .params([:])
        let headers: HTTPHeaders = ["X-Trace": "a", "Connection": "close"]
        let queryParams = [("token", "1")]
        @Header("X-Trace") var trace = "b"
        @RawData var data = Data()
        @Query("page") var page: Int
    }

    enum Choice: Request {
        typealias ResponseObjectType = Void
        case all
        case one(Int)
        case add(String)

        var path: String {
            switch self {
            case .all, .add: "items"
            case .one(let id): "items/\(id)"
            }
        }

        var method: HTTPMethod {
            if case .add = self { .post } else { .get }
        }

        var body: RequestBody? {
            if case .add(let name) = self { .params(["name": name]) } else { nil }
        }
    }

    class Parent: Request, @unchecked Sendable {
        typealias ResponseObjectType = Void
        let path = "users/{id}"
        @Path("id") var id = 1
    }

    final class Child: Parent, @unchecked Sendable {
        @Query("page") var page: Int
    }

    struct PathText: Request {
        typealias ResponseObjectType = Void
        let path = "a/{value}"
        @Path("value") var value: String

        init(value: String) {
            self.value = value
        }
    }
}
