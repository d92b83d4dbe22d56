import Foundation
import NetKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private enum Color: String, Sendable { case red }
private struct Version: CustomStringConvertible, Sendable { let description = "v1" }

/// Every type that a parameter may have.
private struct Parameters: Request {
    typealias ResponseObjectType = Void
    let path = "a/{string}/:number/{color}"
    let method: HTTPMethod = .post
    @Path("string") private(set) var string: String
    @Path("number", encoding: PathEncoding(pattern: ":key")) private(set) var number: Int8
    @Path("color") var color: Color = .red
    @Query("double") var double: Double = 1.5
    @Query("bool") var bool = true
    @Query("numeric", encoding: URLEncoding(arrays: .comma, booleans: .numeric)) var numeric: Bool
    @Query("date") var date: Date?
    @Query("uuid") var uuid: UUID?
    @Query("version") var version = Version()
    @Query("data") var data = Data([1])
    @Query("list", encoding: URLEncoding(arrays: .repeated)) var list: [Int]
    @Header("X-Text") var text: String
    @Header(.accept) var accept: String = "text/csv"
    @RawData var bytes: Data

    init(_ uuid: UUID) {
        string = "b/c"
        number = 8
        numeric = true
        date = Date(timeIntervalSince1970: 0)
        self.uuid = uuid
        list = [1, 2]
        text = "t"
        bytes = Data("raw".utf8)
    }
}

private struct Objects: Request {
    struct Filter: Codable, Sendable { let a: Int }
    typealias ResponseObjectType = Void
    let path = "p"
    let method: HTTPMethod = .post
    @Object(encoding: .query(URLEncoding())) var filter: Filter
    @Object(encoder: JSONEncoder(), encoding: .form(URLEncoding())) var form: Filter

    init() {
        filter = Filter(a: 1)
        form = Filter(a: 2)
    }
}

private struct Plain: Request {
    typealias ResponseObjectType = Void
    let path = "p"
    let method: HTTPMethod = .post
    @Object() var object: [String: Int]

    init() { object = ["a": 1] }
}

@Suite("Public interface of parameters and forms")
struct ParameterContractTests {
    private let endpoint: Endpoint

    init() throws {
        endpoint = Endpoint(baseURL: try #require(URL(string: "https://api.example.com")))
    }

    @Test("places parameters by their wrappers")
    func parameters() throws {
        let uuid = UUID()
        var request = Parameters(uuid)
        request.text = "u"
        let sent = try endpoint.urlRequest(for: request)
        #expect(
            sent.url?.absoluteString == "https://api.example.com/a/b%2Fc/8/red?double=1.5&bool=true"
                + "&numeric=1&date=1970-01-01T00%3A00%3A00Z&uuid=\(uuid.uuidString)&version=v1"
                + "&data=AQ%3D%3D&list=1&list=2"
        )
        #expect(sent.value(forHTTPHeaderField: "X-Text") == "u")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "text/csv")
        #expect(sent.httpBody == Data("raw".utf8))
    }

    @Test("encodes an object as JSON, a form or a query")
    func objects() throws {
        let sent = try endpoint.urlRequest(for: Objects())
        #expect(sent.url?.query == "a=1" && sent.httpBody == Data("a=2".utf8))
        #expect(try endpoint.urlRequest(for: Plain()).httpBody == Data(#"{"a":1}"#.utf8))
        let encodings: [ParameterEncoding] = [.json, .form(), .query()]
        for encoding in encodings {
            switch encoding {
            case .json, .form, .query: break
            }
        }
        let arrays: [URLEncoding.Arrays] = [.brackets, .repeated, .indexed, .comma]
        let booleans: [URLEncoding.Booleans] = [.literal, .numeric]
        #expect(arrays.count == 4 && booleans.count == 2)
    }

    @Test("has forms with text parts and files")
    func multipart() throws {
        struct Own: MultipartFile {
            let resource: any MultipartResourceConvertible = Data("own".utf8)
            let mime: MimeType = .text(.init(rawValue: "plain"))
            let fileName = "own.txt"
        }
        struct Upload: MultipartFormDataRequest {
            typealias ResponseObjectType = Void
            let path = "p"
            let method: HTTPMethod = .post
            let body: RequestBody? = .params(["title": "Me"])
            let files: [any MultipartFile]
        }
        var file = DefaultMultipartFile(
            resource: "/dev/null",
            mime: "text/plain",
            name: "n",
            fileName: "f"
        )
        file.resource = StreamResource(length: 2) { InputStream(data: Data("st".utf8)) }
        file.mime = "a/b"
        file.name = "name"
        file.fileName = "file"
        let bytes = DefaultMultipartFile(
            resource: Data("data".utf8),
            mime: "c/d",
            fileName: "d.txt"
        )
        #expect(Own().name == "own.txt" && bytes.name == "d.txt")
        let _: [any MultipartResourceConvertible] = [Data(), URL(fileURLWithPath: "/"), "/"]

        let form = DefaultMultipartFormDataRequest<Void, String>(
            path: "p",
            method: .post,
            queryParams: [],
            body: .params(["title": "Me"]),
            headers: [:],
            timeout: nil,
            responseConverter: nil,
            errorConverter: nil,
            endpoint: nil,
            decoder: nil,
            authToken: nil,
            files: [Own(), file, bytes],
            responseDecoding: .empty
        )
        let all: [any Request] = [form, Upload(files: [Own(), file, bytes])]
        for request in all {
            let sent = try endpoint.urlRequest(for: request)
            let type = try #require(sent.value(forHTTPHeaderField: "Content-Type"))
            #expect(type.hasPrefix("multipart/form-data; boundary="))
        }
        #expect(DefaultMultipartFormDataRequest<Data, String>(path: "p", files: []).files.isEmpty)
        #expect(DefaultMultipartFormDataRequest<[Int], String>(path: "p").files.isEmpty)
        #expect(DefaultMultipartFormDataRequest<String, String>(path: "p").files.isEmpty)
    }
}
