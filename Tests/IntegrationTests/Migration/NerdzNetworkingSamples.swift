import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of NerdzNetworking's README, adapted only where the article says so.
@available(*, deprecated)
private enum Samples {
    struct Profile: Codable, Hashable, Sendable { let id: Int }

    struct AuthError: ServerError, Decodable, Hashable { let message: String }

    final class LoginWithFacebookRequest: Request {
        typealias ResponseObjectType = Profile
        typealias ErrorType = AuthError

        let path = "login/facebook"
        let method: HTTPMethod = .post
        let queryParams = [("key", "value")]
        let body: RequestBody?
        let headers: HTTPHeaders = [
            RequestHeaderKey("key"): "value", .contentType: "application/json",
        ]
        let timeout: TimeInterval? = 3_600
        let endpoint: Endpoint?

        init(token: String, endpoint: Endpoint?) {
            body = .params(["token": token])
            self.endpoint = endpoint
        }
    }

    final class ConverterRequest: Request {
        typealias ResponseObjectType = Profile
        typealias ErrorType = String

        let path: String
        var responseConverter: any ResponseJsonConverter {
            KeyPathResponseConverter(path: "path/to/node")
        }
        var errorConverter: any ResponseJsonConverter {
            ClosureResponseConverter { response in
                (response as? [String: Any])?["oops"] ?? response
            }
        }

        init(path: String = "my/path/to/backend") { self.path = path }
    }

    final class CustomRequest: Request {
        typealias ResponseObjectType = Profile
        typealias ErrorType = AuthError

        let path = "my/path/to/backend"
        let responseConverter: any ResponseJsonConverter = MyConverter()
    }

    final class MyConverter: ResponseJsonConverter {
        func convertedJson(from json: Any) throws -> Any { ["id": 10] }
    }

    /// Every property of a request, inferred where the article allows it.
    final class MyRequest: Request {
        typealias ResponseObjectType = Profile
        typealias ErrorType = AuthError

        let path = "my/path/to/backend"
        let method = HTTPMethod.put
        let queryParams = [("key", "value")]
        let body: RequestBody? = .params(["key": "value"])
        let headers: HTTPHeaders = [
            RequestHeaderKey("key"): "value", .contentType: "application/json",
        ]
        let timeout: TimeInterval? = 3_600
        let responseConverter: (any ResponseJSONConverter)? =
            KeyPathResponseConverter(path: "path/to/node")
        let endpoint: Endpoint?

        init(endpoint: Endpoint) { self.endpoint = endpoint }
    }

    final class PictureRequest: MultipartFormDataRequest {
        typealias ResponseObjectType = Profile
        typealias ErrorType = AuthError

        let path = "pictures"
        let body: RequestBody? = .params(["key": "value"])
        let files: [any MultipartFile]

        init(bytes: Data, file: URL) {
            files = [
                DefaultMultipartFile(resource: bytes, mime: .image(.png), fileName: "file1"),
                DefaultMultipartFile(resource: file, mime: .audio(.mp4), fileName: "file2"),
                DefaultMultipartFile(resource: file.path, mime: .image(.jpeg), fileName: "file3"),
            ]
        }
    }

    /// Compiled, but never called: tests share no default endpoint.
    static func setUpDefault(_ url: URL, fields: [HTTPHeaderName: String]) {
        Endpoint.default = Endpoint(baseUrl: url)
        Endpoint.default?.headers = HTTPHeaders(fields)
        let endpoint = Endpoint(
            baseUrl: url,
            decoder: JSONDecoder(),
            responseQueue: .main,
            sessionConfiguration: .default,
            retryingCount: 1,
            headers: [.accept: "application/json"]
        )
        endpoint.useAsDefault()
    }
}

@Suite("NerdzNetworking samples", .timeLimit(.minutes(15)))
struct NerdzNetworkingSamples {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("POST", "/login/facebook") { _ in .json(text: #"{"id":7}"#) }
        server.route("POST", "/pictures") { _ in .json(text: #"{"id":8}"#) }
        server.route(nil, "/my/path/to/backend") { _ in
            .json(text: #"{"path":{"to":{"node":{"id":9}}}}"#)
        }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.headers.authToken = .bearer("token")
        endpoint.headers.contentType = .application(.json)
    }

    @available(*, deprecated)
    @Test("sends a request class in each of three ways")
    func request() async throws {
        let request = Samples.LoginWithFacebookRequest(token: "t", endpoint: endpoint)
        let first = request.execute()
            .onSuccess { profile in #expect(profile.id == 7) }
            .onFail { error in Issue.record("\(error)") }
        #expect(try await first.value == Samples.Profile(id: 7))
        #expect(try await request.execute(on: endpoint).value == Samples.Profile(id: 7))
        #expect(try await endpoint.execute(request).value == Samples.Profile(id: 7))
        #expect(try await request.asyncExecute() == Samples.Profile(id: 7))
        #expect(
            server.requests.map(\.target) == Array(repeating: "/login/facebook?key=value", count: 4)
        )
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer token" })
    }

    @available(*, deprecated)
    @Test("converts the response and the error of a request class")
    func converters() async throws {
        server.route(nil, "/bad") { _ in .json(text: #"{"oops":"not today"}"#, status: 422) }
        let request = Samples.ConverterRequest()
        #expect(try await endpoint.value(for: request) == Samples.Profile(id: 9))
        let custom = Samples.CustomRequest()
        #expect(try await endpoint.value(for: custom) == Samples.Profile(id: 10))
        let failure = await Samples.ConverterRequest(path: "bad").execute(on: endpoint).failure
        #expect(failure?.serverError == "not today")
    }

    @available(*, deprecated)
    @Test("sends every property of a request class, and of a ready-made request")
    func properties() async throws {
        let endpoint = endpoint
        let mine = Samples.MyRequest(endpoint: endpoint)
        #expect(try await mine.execute().value == Samples.Profile(id: 9))
        let ready = DefaultRequest<Samples.Profile, Samples.AuthError>(
            path: "my/path/to/backend",
            method: .put,
            queryParams: [("key", "value")],
            body: .params(["key": "value"]),
            headers: [RequestHeaderKey("key"): "value", .contentType: "application/json"],
            timeout: 3_600,
            responseConverter: KeyPathResponseConverter(path: "path/to/node"),
            errorConverter: nil,
            endpoint: endpoint,
            decoder: JSONDecoder()
        )
        #expect(try await ready.execute().value == Samples.Profile(id: 9))
        for sent in server.requests {
            #expect(sent.method == .put)
            #expect(sent.target == "/my/path/to/backend?key=value")
            #expect(sent.text == #"{"key":"value"}"#)
            #expect(sent.header("key") == "value")
            #expect(sent.header("Content-Type") == "application/json")
        }
        #expect(server.requests.count == 2)
    }

    @available(*, deprecated)
    @Test("calls each handler of the chain, in its order")
    func chain() async throws {
        let journal = Journal()
        Samples.LoginWithFacebookRequest(token: "t", endpoint: endpoint)
            .execute()
            .responseOn(DispatchQueue(label: "handlers"))
            .retryOnFail(false)
            .onStart { operation in journal.note("start \(operation.request.path)") }
            .onProgress { progress in if progress == 1 { journal.note("all") } }
            .onSuccess { response in journal.note("success \(response.id)") }
            .onFail { error in journal.note("fail \(error.message)") }
            .onDebug { info in journal.note("debug \(info.cURL?.hasPrefix("curl") == true)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        let entries = await journal.entries
        #expect(entries.first == "start login/facebook")
        #expect(entries.last == "success 7")
        #expect(entries.dropFirst().dropLast().sorted() == ["all", "debug true"])
        #expect(server.requests.first?.text == #"{"token":"t"}"#)
    }

    @available(*, deprecated)
    @Test("registers an observer of one type of request, and unregisters it")
    func observers() async throws {
        let journal = Journal()
        let token = endpoint.observation.register {
            (request: Samples.ConverterRequest, profile, error) in
            journal.note("\(request.path) \(profile?.id ?? 0) \(error?.statusCode ?? 0)")
        }
        _ = try await endpoint.value(for: Samples.ConverterRequest())
        _ = await Samples.ConverterRequest(path: "nowhere").execute(on: endpoint).failure
        endpoint.observation.unregisterObserver(with: token)
        _ = try await endpoint.value(for: Samples.ConverterRequest())
        journal.end()
        #expect(await journal.entries == ["my/path/to/backend 9 0", "nowhere 0 404"])
    }

    @available(*, deprecated)
    @Test("uploads data, a file and a path from a request class")
    func files() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mp4")
        try Data("on disk".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = Samples.PictureRequest(bytes: Data([1]), file: file)
        #expect(try await endpoint.value(for: request) == Samples.Profile(id: 8))
        let names = server.requests.first?.multipart.map(\.name)
        #expect(names == ["key", "file1", "file2", "file3"])
    }

    @available(*, deprecated)
    @Test("keeps the values of old names for URLs, media types, tokens, statuses and fields")
    func names() async throws {
        let whole = DefaultRequest<Samples.Profile, String?>(
            url: server.url("/login/facebook"),
            method: .post
        )
        #expect(try await endpoint.value(for: whole) == Samples.Profile(id: 7))
        try await endpoint.value(
            for: DefaultRequest<Void, String?>(url: server.url("/pictures"), method: .post)
        )
        #expect(HTTPStatus.unprocessableEntity == 422)
        #expect(HTTPHeaderName.via == "Via")
        #expect(MimeType.json.value == "application/json")
        #expect(AuthToken("Bearer t") == .bearer("t"))
        #expect(AuthToken("Basic dTpw") == .basic(username: "u", password: "p"))
        #expect(AuthToken("Own x") == .custom("Own x"))
    }
}
