import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an interceptor around the whole call can do about a failure.
@Suite("Interceptors that send again", .timeLimit(.minutes(15)))
struct SendingAgainScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
        var method: HTTPMethod = .get
        var body: RequestBody?
        var headers: HTTPHeaders = [:]
    }

    /// Sends a request with the version that the server asks for, at most so many times.
    private struct Upgrading: Interceptor {
        let scope = InterceptorScope.call
        var limit = 1

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            var request = request
            var response = try await next(request)
            for _ in 0..<limit where response.status == 426 {
                request.headers["X-Version"] = response.headers["X-Needed"]
                response = try await next(request)
            }
            return response
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { request in
            request.header("X-Version") == "2"
                ? .text("\(request.method) \(request.text)")
                : .status(426).header("X-Needed", "2")
        }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
        endpoint.interceptors = [Upgrading()]
    }

    private var versions: [String?] { server.requests.map { $0.header("X-Version") } }

    @Test("answer a 426 with another header field", arguments: CallStyle.allCases)
    func upgrade(style: CallStyle) async throws {
        #expect(await style.outcome(of: Text(), on: endpoint).value == "GET ")
        #expect(versions == [nil, "2"])
    }

    @Test("send the body of a file again")
    func file() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("letter")
        try Data("letter".utf8).write(to: file)
        let value = try await endpoint.value(for: Text(method: .post, body: .file(file)))
        #expect(value == "POST letter")
        #expect(server.requests.map(\.text) == ["letter", "letter"])
    }

    @Test("send as often as they want, each time with the policy's retries")
    func retries() async throws {
        endpoint.retryPolicy.maximumRetries = 1
        endpoint.interceptors = [Upgrading(limit: 3)]
        server.enqueue(
            .status(503),
            .status(426).header("X-Needed", "1"),
            .status(503),
            .status(426).header("X-Needed", "2")
        )
        let response = try await endpoint.response(for: Text())
        #expect(response.value == "GET ")
        #expect(response.attempts == 5)
        #expect(versions == [nil, nil, "1", "1", "2"])
        #expect(response.history.map(\.number) == [1, 2, 3, 4, 5])
        #expect(
            response.history.map(\.next) == [
                .retry(after: .zero), .interceptor, .retry(after: .zero), .interceptor, .done,
            ]
        )
    }

    @Test("end with the last response, when that is no better")
    func endless() async throws {
        endpoint.interceptors = [Upgrading(limit: 3)]
        server.route(nil, "/text") { _ in .status(426).header("X-Needed", "3") }
        let operation = Text().execute(on: endpoint)
        #expect(await operation.failure?.statusCode == 426)
        #expect(server.requests.count == 4)
        #expect(operation.history.last?.next == .stop(.notTransient))
        #expect(
            operation.history.first?.description.hasSuffix(", sent again by an interceptor") == true
        )
    }

    @Test("can send a request made anew to another server after a failure")
    func mirror() async throws {
        let mirror = try MockServer()
        mirror.route(nil, "/copy") { _ in .text("copy") }
        let url = mirror.url("/copy")
        endpoint.retryPolicy = .never
        endpoint.interceptors = [
            ClosureInterceptor(scope: .call) { request, next in
                do {
                    return try await next(request)
                } catch let error as ErrorResponse<ServerMessage> where !error.isCancellation {
                    return try await next(EncodedRequest(url: url, method: .get))
                }
            }
        ]
        server.enqueue(.fault(.closeBeforeHead))
        #expect(try await endpoint.value(for: Text()) == "copy")
    }

    @Test("pass each attempt to debug handlers, and each response to the decoding once")
    func decodings() async throws {
        struct Counted: Request {
            typealias ResponseObjectType = String
            typealias ErrorType = CountedError
            let path = "text"
            let journal: Journal
            var responseDecoding: ResponseDecoding<String> {
                ResponseDecoding { response, _ in
                    journal.note("value")
                    return response.text
                }
            }
            var errorConverter: (any ResponseJSONConverter)? {
                ClosureResponseConverter { json in
                    journal.note("error")
                    return json
                }
            }
        }
        struct CountedError: ServerError, Decodable { let message: String }
        server.enqueue(
            .json(text: #"{"message":"no"}"#, status: 426).header("X-Needed", "2")
        )
        let journal = Journal()
        let statuses = Locked<[Int?]>([])
        let operation = Counted(journal: journal).execute(on: endpoint)
            .onDebug { info in statuses.withLock { $0.append(info.urlResponse?.statusCode) } }
        await operation.delivered()
        #expect(try await operation.value == "GET ")
        #expect(statuses.withLock { $0 } == [426, 200])
        journal.end()
        #expect(await journal.entries == ["error", "value"])
    }

    @Test("send a repeatable POST under one idempotency key")
    func idempotencyKey() async throws {
        server.enqueue(.status(503))
        let request = Text(method: .post, body: .string("x"))
        _ = try await request.execute(on: endpoint, retrying: 2).value
        let keys = server.requests.map { $0.header("Idempotency-Key") }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1 && keys.first != nil)
    }

    @Test("are followed by one download and one stream of the last response")
    func otherBodies() async throws {
        let folder = try TemporaryFolder()
        let file = try await endpoint.value(for: Text().download(to: folder.file("text")))
        #expect(try Data(contentsOf: file) == Data("GET ".utf8))
        let stream = try await endpoint.stream(Text())
        #expect(try await stream.reduce(Data(), +) == Data("GET ".utf8))
        #expect(versions == [nil, "2", nil, "2"])
    }

    @Test("end at once when the call is canceled or its deadline passes")
    func stopped() async throws {
        server.route(nil, "/text") { _ in .status(426).header("X-Needed", "3") }
        endpoint.interceptors = [Upgrading(limit: .max)]
        let operation = Text().execute(on: endpoint)
        try await server.waitForRequests(3)
        operation.cancel()
        #expect(await operation.failure?.kind == .cancelled)
        let late = Text().execute(on: endpoint).deadline(after: .milliseconds(50))
        #expect(await late.failure?.kind == .timeout(.total))
    }
}
