import Foundation
import NetKit

/// A path whose text is the value.
struct TextRequest: Request {
    typealias ResponseObjectType = String
    let path: String
    var headers: HTTPHeaders = [:]
    var cachePolicy = CachePolicy.standard
    var retryPolicy: RetryPolicy?

    init(
        _ path: String,
        headers: HTTPHeaders = [:],
        cachePolicy: CachePolicy = .standard,
        retryPolicy: RetryPolicy? = nil
    ) {
        self.path = path
        self.headers = headers
        self.cachePolicy = cachePolicy
        self.retryPolicy = retryPolicy
    }
}

/// Any status that one likes.
struct StatusRequest: Request {
    typealias ResponseObjectType = Void
    let path = "status/{code}"
    let method: HTTPMethod
    let retryPolicy: RetryPolicy?
    @Path("code") private(set) var code: Int

    init(_ code: Int, method: HTTPMethod = .get, retryPolicy: RetryPolicy? = .never) {
        self.method = method
        self.retryPolicy = retryPolicy
        self.code = code
    }
}

struct BytesRequest: Request {
    typealias ResponseObjectType = Data
    let path: String

    init(_ path: String) {
        self.path = path
    }
}

struct Line: Decodable {
    let id: Int
}

struct StreamRequest: Request {
    typealias ResponseObjectType = Void
    let path = "stream/{count}"
    @Path("count") private(set) var count: Int

    init(count: Int) {
        self.count = count
    }
}

/// An answer after some seconds.
struct DelayRequest: Request {
    typealias ResponseObjectType = Echo
    let path = "delay/{seconds}"
    let timeout: TimeInterval?
    let retryPolicy: RetryPolicy? = .never
    @Path("seconds") private(set) var seconds: Int

    init(seconds: Int, timeout: TimeInterval? = nil) {
        self.timeout = timeout
        self.seconds = seconds
    }
}

/// The cookies that a request had, by way of a redirect or at once.
struct CookiesRequest: Request {
    typealias ResponseObjectType = [String: String]
    let path: String
    let queryParams: [(String, String)]
    let responseDecoding = ResponseDecoding<[String: String]>.json(at: "cookies")

    init(_ path: String = "cookies", _ queryParams: [(String, String)] = []) {
        self.path = path
        self.queryParams = queryParams
    }
}

/// Whom httpbin knows a request to be from.
struct User: Decodable {
    let authenticated: Bool
    let user: String?
    let token: String?
}

struct UserRequest: Request {
    typealias ResponseObjectType = User
    let path: String

    init(_ path: String) {
        self.path = path
    }
}

/// Something compressed.
struct CompressedRequest: Request {
    typealias ResponseObjectType = [String: JSONValue]
    let path: String
    let headers: HTTPHeaders

    init(_ path: String, accepting encoding: String? = nil) {
        self.path = path
        headers = encoding.map { ["Accept-Encoding": $0] } ?? [:]
    }
}
