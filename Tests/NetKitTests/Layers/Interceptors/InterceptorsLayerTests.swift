import Foundation
import NetKitSupport
import Testing

@testable import NetKit

/// What becomes of a request that an interceptor passes on.
@Suite("Interceptors layer", .timeLimit(.minutes(15)))
struct InterceptorsLayerTests {
    private struct Closure: Interceptor {
        let scope: InterceptorScope
        let change: @Sendable (EncodedRequest) throws -> EncodedRequest

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            try await next(try change(request))
        }
    }

    private struct Shelf: Request {
        typealias ResponseObjectType = String
        var path = "shelves/{shelf}"
        @Path("shelf") var shelf = "a"
        var method: HTTPMethod = .get
        var body: RequestBody?
        var headers: HTTPHeaders = [:]
        var isAuthenticated = true
        var redaction: Redaction?
    }

    private struct Refused: Error {}

    /// Throws after it has had some answers.
    private struct Refusing: Interceptor {
        let scope: InterceptorScope
        let answers: Int

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            for _ in 0..<answers { _ = try await next(request) }
            throw Refused()
        }
    }

    /// Keeps the request that reaches it.
    private struct Last: Layer {
        let request = Locked<EncodedRequest?>(nil)

        func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
            self.request.withLock { $0 = request }
            return AttemptResult(request, .response(HTTPResponse(to: request, status: .ok)))
        }
    }

    private static let scopes: [InterceptorScope] = [.call, .attempt, .exchange]

    private let transport = ScriptedTransport(.response(200, "ok"))
    private let endpoint: Endpoint

    init() throws {
        endpoint = Endpoint(
            baseURL: try #require(URL(string: "https://home.test/api")),
            transport: transport,
            retryingCount: 0
        )
    }

    /// Sends a request with an interceptor in each scope, and returns what reaches the transport.
    private func sent(
        _ request: Shelf = Shelf(),
        _ scopes: [InterceptorScope] = Self.scopes,
        _ change: @escaping @Sendable (EncodedRequest) throws -> EncodedRequest
    ) async throws -> EncodedRequest {
        endpoint.interceptors += scopes.map { Closure(scope: $0, change: change) }
        _ = try await endpoint.value(for: request)
        return try #require(transport.sent.last)
    }

    @Test(
        "fails with the error that an interceptor throws, whatever was answered before",
        arguments: scopes,
        0...2
    )
    func refusing(scope: InterceptorScope, answers: Int) async throws {
        endpoint.interceptors = [Refusing(scope: scope, answers: answers)]
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: Shelf())
        }
        #expect(error?.underlyingError is Refused)
        #expect(transport.sent.count == answers)
    }

    @Test("passes an unchanged request on without a copy", arguments: scopes)
    func unchanged(scope: InterceptorScope) async throws {
        let last = Last()
        let clock = DeadlineClock(manual: ())
        let plan = CallPlan(inMemory: Shelf())
        let call = CallContext(
            control: CallControl(clock: clock),
            reporter: nil,
            plan: plan
        )
        let closure = Closure(scope: scope) { $0 }
        let layer = try #require(
            InterceptorsLayer(scope, of: [closure, closure], home: nil, next: last)
        )
        let url = try #require(URL(string: "https://home.test/x"))
        // The layer doesn't check what it didn't get from an interceptor.
        let request = EncodedRequest(url: url, method: .get, headers: ["Connection": "close"])
        _ = await layer.send(request, in: call)
        #expect(last.request.withLock { $0?.isSame(as: request) } == true)
    }

    @Test("keeps the redaction and the exclusion from authentication, whatever was passed on")
    func marksOfTheCall() async throws {
        endpoint.authentication = BearerAuthentication(token: "t") { _ in "t" }
        endpoint.redaction = Redaction(headers: ["X-Customer"])
        let redaction = Redaction(headers: [], queryNames: ["customer"])
        let request = Shelf(isAuthenticated: false, redaction: redaction)
        let sent = try await sent(request) { request in
            EncodedRequest(url: request.url, method: .post, body: BodySource(Data("new".utf8)))
        }
        #expect(sent.method == .post && sent.body?.data == Data("new".utf8))
        #expect(sent.redaction == endpoint.redaction.adding(redaction))
        #expect(!sent.isAuthenticated && sent.headers[.authorization] == nil)
    }

    @Test("keeps the epoch of the credential, so that a 401 refreshes the token once")
    func epoch() async throws {
        let transport = ScriptedTransport(.response(401), .response(200, "ok"))
        let endpoint = Endpoint(baseURL: endpoint.baseURL, transport: transport, retryingCount: 0)
        let refreshes = Locked(0)
        endpoint.authentication = BearerAuthentication(token: "old") { _ in
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        endpoint.interceptors = [
            Closure(scope: .exchange) { request in
                EncodedRequest(
                    url: request.url,
                    method: request.method,
                    headers: request.headers,
                    body: request.body
                )
            }
        ]
        for _ in 0..<2 { _ = try await endpoint.value(for: Shelf()) }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(
            transport.sent.map { $0.headers[.authorization] } == [
                "Bearer old", "Bearer new", "Bearer new",
            ]
        )
        #expect(transport.sent.last?.authenticationEpoch != 0)
    }

    @Test("keeps the sensitive mark of a field, and the permission to set Host")
    func marksOfFields() async throws {
        var headers: HTTPHeaders = ["X-Plain": "p", "Host": "virtual.test"]
        headers.set("X-Tenant", to: "t", isSensitive: true)
        headers.allowsHostOverride = true
        let sent = try await sent(Shelf(headers: headers)) { request in
            let headers: HTTPHeaders = ["x-tenant": "other", "X-Plain": "q", "Host": "second.test"]
            return EncodedRequest(url: request.url, method: .get, headers: headers)
        }
        #expect(sent.headers.isSensitive("X-Tenant") && !sent.headers.isSensitive("X-Plain"))
        #expect(sent.headers["X-Tenant"] == "other" && sent.headers["Host"] == "second.test")
    }

    @Test("keeps the path template with its URL")
    func pathTemplate() async throws {
        let same = try await sent { EncodedRequest(url: $0.url, method: .get) }
        #expect(same.pathTemplate == "shelves/{shelf}")
        let other = try await sent(Shelf(), [.attempt]) { request in
            var request = request
            request.url.append(path: "books")
            return request
        }
        #expect(other.pathTemplate == nil)
        #expect(other.url.path == "/api/shelves/a/books")
    }

    @Test("gets the path template of a call without a request type")
    func templateOfShorthand() async throws {
        let text: String = try await endpoint.get("shelves/{shelf}", path: ["shelf": "a b"])
        #expect(text == "ok")
        #expect(transport.sent.last?.pathTemplate == "shelves/{shelf}")
        #expect(transport.sent.last?.url.absoluteString == "https://home.test/api/shelves/a%20b")
    }

    @Test("takes a method for the one that is sent")
    func sentMethod() async throws {
        for (token, method) in [("post", HTTPMethod.post), ("purge", "purge")] {
            let sent = try await sent { request in
                var request = request
                request.method = .custom(token)
                return request
            }
            #expect(sent.method == method)
        }
    }

    @Test("lets the transport set the length of a body")
    func length() async throws {
        let sent = try await sent(Shelf(method: .post, body: .string("abc"))) { request in
            var request = request
            request.headers[.contentLength] = "7"
            request.headers[.transferEncoding] = "chunked"
            return request
        }
        #expect(sent.headers[.contentLength] == nil && sent.headers[.transferEncoding] == nil)
    }

    @Test(
        "refuses a request that a request value couldn't describe",
        arguments: scopes,
        [
            { $0.headers["X-Bad"] = "a\r\nB: c" }, { $0.headers["Connection"] = "close" },
            { $0.headers["Host"] = "other.test" }, { $0.method = "A B" },
            { $0.body = BodySource(Data("x".utf8)) },
            { $0.url = URL(string: "ftp://home.test/x") ?? $0.url },
            { $0.url = URL(string: "https://home.test:99999/x") ?? $0.url },
        ] as [@Sendable (inout EncodedRequest) -> Void]
    )
    func refused(
        scope: InterceptorScope,
        change: @escaping @Sendable (inout EncodedRequest) -> Void
    ) async throws {
        endpoint.interceptors = [
            Closure(scope: scope) { request in
                var request = request
                change(&request)
                return request
            }
        ]
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: Shelf())
        }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.sent.isEmpty)
    }

    @Test("tells the interceptor why its request is refused")
    func refusal() async throws {
        struct Trying: Interceptor {
            func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
                var broken = request
                broken.headers["X-Bad"] = "a\r\nB: c"
                do {
                    return try await next(broken)
                } catch ErrorResponse<ServerMessage>.invalidRequest(let invalid) {
                    #expect(invalid.reason == .invalidHeader(name: "X-Bad"))
                    return try await next(request)
                }
            }
        }
        endpoint.interceptors = [Trying()]
        #expect(try await endpoint.value(for: Shelf()) == "ok")
        #expect(transport.sent.count == 1)
    }

    @Test("removes default fields when a later interceptor changes the origin")
    func moved() async throws {
        endpoint.interceptors = [
            .userAgent("Test/1"), DefaultFields { ["X-Tenant": "7"] },
        ]
        let url = try #require(URL(string: "https://away.test/x"))
        let sent = try await sent(Shelf(headers: ["X-Own": "1"]), [.attempt]) { request in
            var request = request
            request.url = url
            return request
        }
        #expect(sent.url == url)
        #expect(sent.headers["X-Tenant"] == nil)
        #expect(sent.headers["X-Own"] == "1" && sent.headers[.userAgent] == "Test/1")
    }

    @Test(
        "sends a user and password in a new URL as a path with them does",
        arguments: scopes,
        [nil, "Bearer own"]
    )
    func userInformation(scope: InterceptorScope, own: String?) async throws {
        let address = endpoint.baseURL.absoluteString
            .replacing("://", with: "://ann:p%40ss@", maxReplacements: 1)
        let url = try #require(URL(string: "\(address)/x?a=%2F"))
        let headers: HTTPHeaders = own.map { [.authorization: $0] } ?? [:]
        let sent = try await sent(Shelf(headers: headers), [scope]) { request in
            var request = request
            request.url = url
            return request
        }
        #expect(sent.url.user == nil && sent.url.absoluteString.hasSuffix("/x?a=%2F"))
        #expect(sent.headers[.authorization] == own ?? "Basic YW5uOnBAc3M=")
    }

    @Test("shows the body of a file to the interceptor of each exchange")
    func fileBody() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitTests-\(UUID().uuidString)")
        try Data("letter".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = ScriptedTransport(
            .response(503),
            .response(307, headers: ["Location": "https://away.test/x"]),
            .response(200, "ok")
        )
        let endpoint = Endpoint(baseURL: endpoint.baseURL, transport: transport, retryingCount: 1)
        endpoint.retryPolicy.backoff = .none
        endpoint.interceptors = [
            Closure(scope: .exchange) { request in
                var signed = request
                let reader = try #require(try request.body?.open())
                defer { reader.close() }
                var bytes = [UInt8](repeating: 0, count: 100)
                let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
                let text = String(decoding: bytes[..<count], as: UTF8.self)
                signed.headers["X-Signature"] = "\(request.url.host ?? "") \(text)"
                return signed
            }
        ]
        _ = try await endpoint.value(for: Shelf(method: .put, body: .file(file)))
        #expect(
            transport.sent.map { $0.headers["X-Signature"] } == [
                "home.test letter", "home.test letter", "away.test letter",
            ]
        )
        #expect(transport.sent.allSatisfy { $0.body?.file == file })
    }

    // MARK: Responses of one's own

    /// Sends what and as often as it wants.
    private struct Sending: Interceptor {
        let scope: InterceptorScope
        let body: @Sendable (EncodedRequest, InterceptorNext) async throws -> HTTPResponse

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            try await body(request, next)
        }
    }

    /// A connection that ends within a response.
    private static let cut: [TransportEvent] = [
        .started, .head(ResponseHead(status: 200)), .body(Data("half".utf8)),
        .finished(.failed(TransportError(.connectionLost))),
    ]

    /// Sends over a transport, with an interceptor.
    private func endpoint(
        _ scope: InterceptorScope,
        over transport: ScriptedTransport,
        _ body: @escaping @Sendable (EncodedRequest, InterceptorNext) async throws -> HTTPResponse
    ) -> Endpoint {
        let endpoint = Endpoint(baseURL: endpoint.baseURL, transport: transport, retryingCount: 0)
        endpoint.interceptors = [Sending(scope: scope, body: body)]
        return endpoint
    }

    /// Expects the bytes before the cut, and a failure.
    private func expectHalf(of stream: ResponseStream) async {
        var body = Data()
        await #expect(throws: StreamFailure.self) {
            for try await chunk in stream { body += chunk }
        }
        #expect(body == Data("half".utf8))
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test(
        "delivers its own response after one that was cut off, but not behind its bytes",
        arguments: scopes
    )
    func ownAfterCut(scope: InterceptorScope) async throws {
        let endpoint = endpoint(scope, over: ScriptedTransport(Self.cut)) { request, next in
            do {
                return try await next(request)
            } catch {
                return HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
            }
        }
        try await withFile { file in
            _ = try await endpoint.value(for: Shelf().download(to: file))
            #expect(try Data(contentsOf: file) == Data("own".utf8))
        }
        await expectHalf(of: try await endpoint.stream(Shelf()))
    }

    @Test("leaves a file as it is when a later request of an interceptor fails", arguments: scopes)
    func failureAfterFile(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport(.response(200, "whole"), .response(503))
        let endpoint = endpoint(scope, over: transport) { request, next in
            let first = try await next(request)
            _ = try? await next(request)
            return first
        }
        try await withFile { file in
            _ = try await endpoint.value(for: Shelf().download(to: file))
            #expect(try Data(contentsOf: file) == Data("whole".utf8))
        }
        #expect(transport.sent.count == 2)
    }

    @Test("replaces the bytes of a response by those of a later one", arguments: scopes)
    func laterFile(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport(.response(200, "one"), .response(200, "two"))
        let endpoint = endpoint(scope, over: transport) { request, next in
            _ = try await next(request)
            return try await next(request)
        }
        try await withFile { file in
            _ = try await endpoint.value(for: Shelf().download(to: file))
            #expect(try Data(contentsOf: file) == Data("two".utf8))
        }
    }

    @Test(
        "fails when an interceptor replaces the bytes of a file",
        arguments: scopes
    )
    func replacedBytes(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport(.response(200, "own"))
        let endpoint = endpoint(scope, over: transport) { request, next in
            _ = try await next(request)
            return HTTPResponse(to: request, status: .ok, body: Data("other".utf8))
        }
        try await withFile { file in
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await endpoint.value(for: Shelf().download(to: file))
            }
            #expect(error?.message.contains("can't replace a body") == true)
        }
    }

    @Test("fails when a later response replaced the bytes of its response and was cut off")
    func cutAfterFile() async throws {
        let transport = ScriptedTransport(.response(200, "whole"), Self.cut, .response(503))
        let endpoint = endpoint(.exchange, over: transport) { request, next in
            let first = try await next(request)
            for _ in 0..<2 { _ = try? await next(request) }
            return first
        }
        try await withFile { file in
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await endpoint.value(for: Shelf().download(to: file))
            }
            let failure = error?.underlyingError as? TransportError
            #expect(failure?.kind == .truncatedResponse)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try PartialFile(destination: file).discard()
        }
    }

    @Test("leaves a file as it is when it makes a failure of a response")
    func failureOfFile() async throws {
        let transport = ScriptedTransport(.response(200, "page"))
        let endpoint = endpoint(.exchange, over: transport) { request, next in
            _ = try await next(request)
            return HTTPResponse(to: request, status: .unauthorized)
        }
        try await withFile { file in
            try Data("old".utf8).write(to: file)
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await endpoint.value(for: Shelf().download(to: file))
            }
            #expect(error?.status == .unauthorized)
            #expect(try Data(contentsOf: file) == Data("old".utf8))
            // It would be in use otherwise.
            try PartialFile(destination: file).discard()
        }
    }

    @Test("downloads with a new token after a 401 that it made of a response")
    func refreshedFile() async throws {
        let transport = ScriptedTransport(.response(200, "page"), .response(200, "whole"))
        let endpoint = endpoint(.exchange, over: transport) { request, next in
            let response = try await next(request)
            guard request.headers[.authorization] == "Bearer old" else { return response }
            return HTTPResponse(to: request, status: .unauthorized)
        }
        endpoint.authentication = BearerAuthentication(token: "old") { _ in "new" }
        try await withFile { file in
            _ = try await endpoint.value(for: Shelf().download(to: file))
            #expect(try Data(contentsOf: file) == Data("whole".utf8))
        }
    }

    @Test("adds no second body to a stream that has begun", arguments: scopes)
    func secondBody(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport(Self.cut, .response(200, "whole"))
        let endpoint = endpoint(scope, over: transport) { request, next in
            do { return try await next(request) } catch { return try await next(request) }
        }
        await expectHalf(of: try await endpoint.stream(Shelf()))
    }

    @Test("counts what was sent, whatever its interceptor gives up afterwards", arguments: scopes)
    func givenUp(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport(.response(200, "ok"))
        let endpoint = endpoint(scope, over: transport) { request, next in
            let first = try await next(request)
            let late = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await next(request)
            }
            late.cancel()
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await late.value }
            return first
        }
        let (infos, told) = AsyncStream<ExchangePhases?>.makeStream()
        let operation = Shelf().execute(on: endpoint)
            .onDebug { told.yield($0.phases) }
            .onSuccess { _ in told.finish() }
        let response = try await operation.response
        #expect(response.attempts == 1 && transport.sent.count == 1)
        var last: ExchangePhases?
        for await phases in infos { last = phases }
        #expect(last != nil)
    }

    @Test(
        "counts the attempt before a delay that a canceled task of its interceptor ends",
        arguments: [false, true]
    )
    func canceledDelay(sendsAgain: Bool) async throws {
        let isDecided = Locked(false)
        let transport = ScriptedTransport(.response(503), .response(200, "ok"))
        let endpoint = endpoint(.call, over: transport) { request, next in
            let part = Task { try await next(request) }
            await eventually { isDecided.withLock { $0 } }
            part.cancel()
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await part.value }
            if sendsAgain { return try await next(request) }
            return HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
        }
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .constant(.seconds(3_600)))
        endpoint.observation.registerEvents { event in
            if case .attemptFinished = event.kind { isDecided.withLock { $0 = true } }
        }
        let response = try await endpoint.response(for: Shelf())
        #expect(response.value == (sendsAgain ? "ok" : "own"))
        #expect(response.attempts == (sendsAgain ? 2 : 1))
        let steps: [AttemptTrace.Next] =
            sendsAgain ? [.interceptor, .done] : [.stop(.callEnded)]
        #expect(response.history.map(\.next) == steps)
    }

    @Test("ends what a canceled task of an interceptor has sent, and no more", arguments: scopes)
    func canceledPart(scope: InterceptorScope) async throws {
        let transport = ScriptedTransport([.started], .response(200, "ok"))
        let endpoint = endpoint(scope, over: transport) { request, next in
            let part = Task { try await next(request) }
            await eventually { !transport.sent.isEmpty }
            part.cancel()
            let end = await part.result
            #expect(throws: ErrorResponse<ServerMessage>.self) { try end.get() }
            await eventually { transport.cancelled > 0 }
            #expect(transport.cancelled == 1)
            return try await next(request)
        }
        #expect(try await endpoint.value(for: Shelf()) == "ok")
    }
}
