import Foundation
import NetKit
import NetKitDigest
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Digest authentication against a server", .timeLimit(.minutes(15)))
struct DigestScenarios {
    private let transport = TransportUnderTest.make()

    /// Starts a server of which everything below `/private` wants a proof.
    private func server(_ digest: DigestServer) throws -> MockServer {
        let server = try MockServer()
        server.route(nil, "/private/*") { digest.answer($0) }
        return server
    }

    /// Sends a request with what `authentication` makes of it, and again as long as it says so.
    private func send(
        _ request: EncodedRequest,
        with authentication: any Authentication,
        atMost limit: Int = 3
    ) async throws -> [HTTPResponse] {
        var responses: [HTTPResponse] = []
        while true {
            var proven = request
            try await authentication.authenticate(&proven)
            let response = try await transport.response(to: proven)
            responses.append(response)
            let recovery = try await authentication.recover(from: response, to: proven)
            guard recovery != .none, responses.count < limit else { return responses }
        }
    }

    private func request(
        _ server: MockServer,
        _ target: String = "/private/x?a=b%20c&d",
        _ method: HTTPMethod = .get,
        body: String? = nil
    ) -> EncodedRequest {
        EncodedRequest(
            url: server.url(target),
            method: method,
            body: body.map { BodySource(Data($0.utf8)) }
        )
    }

    private func mufasa(_ password: String = "Circle of Life") -> DigestAuthentication {
        DigestAuthentication(username: "Mufasa", password: password)
    }

    @Test(
        "is challenged once, then sends credentials preemptively",
        arguments: [
            ["SHA-256", "MD5"], ["MD5", "SHA-256"], ["MD5"], [nil], ["MD5-sess"], ["SHA-256-sess"],
            ["SHA-512-256", "MD5", "SHA-256"], ["SHA-512-256-sess"],
        ] as [[String?]],
        ["auth", "auth-int, auth", "auth-int", nil]
    )
    func proving(algorithms: [String?], quality: String?) async throws {
        var terms = DigestServer.Terms()
        (terms.algorithms, terms.quality) = (algorithms, quality)
        let digest = DigestServer(terms)
        let server = try server(digest)
        let authentication = mufasa()
        let first = try await send(request(server), with: authentication)
        #expect(first.map(\.statusCode) == [401, 200])
        let strong = algorithms.first { $0?.hasPrefix("SHA") == true }
        let expected = (strong ?? algorithms[0]) ?? "none"
        #expect(first.last?.body == Data(expected.utf8))
        for method: HTTPMethod in [.get, .post, .head, .put, .custom("PURGE"), .custom("get")] {
            let later = try await send(request(server, "/private", method), with: authentication)
            #expect(later.map(\.statusCode) == [200])
        }
        #expect(digest.refusals == ["nothing"])
    }

    @Test(
        "signs the request target as sent",
        arguments: [
            "/private?", "/private/", "/private/a%20b/%C3%A9", "/private/a%2fb%2Fc", "/private//x",
            "/private/x?a=%22%5C%22&b=c,d=e&=&&", "/private/x?a?b/c:d@e!$'()*;+", "/private/a;b=c",
            "/private/x?q=%25%zz", "/private/~%7e",
        ]
    )
    func targets(target: String) async throws {
        let digest = DigestServer()
        let server = try server(digest)
        let responses = try await send(request(server, target), with: mufasa())
        #expect(responses.map(\.statusCode) == [401, 200], "\(server.requests.map(\.target))")
    }

    @Test("echoes a realm in any script", arguments: ["réalm", "界", ""])
    func realms(realm: String) async throws {
        var terms = DigestServer.Terms()
        terms.realm = realm
        let server = try server(DigestServer(terms))
        let responses = try await send(request(server), with: mufasa())
        #expect(responses.map(\.statusCode) == [401, 200])
    }

    @Test(
        "uses the next nonce from each response, also after the server forgot one",
        arguments: [true, false]
    )
    func nextNonce(saysStale: Bool) async throws {
        var terms = DigestServer.Terms()
        (terms.namesNextNonce, terms.saysStale) = (true, saysStale)
        let digest = DigestServer(terms)
        let server = try server(digest)
        let authentication = mufasa()
        for statuses in [[401, 200], [200], [200], [200]] {
            let responses = try await send(request(server), with: authentication)
            #expect(responses.map(\.statusCode) == statuses)
        }
        digest.forgetNonce()
        for statuses in [[401, 200], [200], [200]] {
            let responses = try await send(request(server), with: authentication)
            #expect(responses.map(\.statusCode) == statuses)
        }
        #expect(digest.refusals == ["nothing", "stale"])
    }

    @Test("signs the body only when the server requires it")
    func integrity() async throws {
        var terms = DigestServer.Terms()
        terms.quality = "auth-int"
        let digest = DigestServer(terms)
        let server = try server(digest)
        let authentication = mufasa()
        for body in [nil, "content", String(repeating: "0123456789", count: 20_000)] {
            let post = request(server, "/private/x", .post, body: body)
            #expect(try await send(post, with: authentication).last?.statusCode == 200)
        }
        var forged = request(server, "/private/x", .post, body: "content")
        try await authentication.authenticate(&forged)
        forged.body = BodySource(Data("another".utf8))
        #expect(try await transport.response(to: forged).statusCode == 401)
        #expect(digest.refusals == ["nothing", "response"])
    }

    @Test("resends a whole body after a challenge")
    func bodies() async throws {
        let server = try server(DigestServer())
        let post = request(server, "/private/x", .post, body: "content")
        let responses = try await send(post, with: mufasa())
        #expect(responses.map(\.statusCode) == [401, 200])
        #expect(server.requests.map(\.text) == ["content", "content"])
    }

    @Test(
        "encodes user names in any script",
        arguments: ["Jäsøn Doe", "名前", #"a"b\c"#, "Mufasa"],
        [false, true]
    )
    func names(name: String, hashesNames: Bool) async throws {
        var terms = DigestServer.Terms()
        (terms.name, terms.hashesNames, terms.password) = (name, hashesNames, "pä:ß")
        let server = try server(DigestServer(terms))
        let authentication = DigestAuthentication(username: name, password: "pä:ß")
        let responses = try await send(request(server), with: authentication)
        #expect(responses.map(\.statusCode) == [401, 200])
    }

    @Test("adopts the new nonce after a stale one", arguments: [true, false])
    func stale(saysStale: Bool) async throws {
        var terms = DigestServer.Terms()
        (terms.lifetime, terms.saysStale) = (2, saysStale)
        let digest = DigestServer(terms)
        let server = try server(digest)
        let authentication = mufasa()
        var statuses: [[Int]] = []
        for _ in 1...5 {
            statuses.append(
                try await send(request(server), with: authentication).map(\.statusCode)
            )
        }
        #expect(statuses == [[401, 200], [200], [401, 200], [200], [401, 200]])
        #expect(digest.refusals == ["nothing", "stale", "stale"])
    }

    @Test("returns the 401 of a wrong password after one try per call")
    func wrongPassword() async throws {
        let digest = DigestServer()
        let server = try server(digest)
        let authentication = mufasa("wrong")
        let first = try await send(request(server), with: authentication, atMost: 10)
        #expect(first.map(\.statusCode) == [401, 401])
        let second = try await send(request(server), with: authentication, atMost: 10)
        #expect(second.map(\.statusCode) == [401])
        #expect(digest.refusals == ["nothing", "response", "response"])
    }

    @Test("keeps the challenges of two servers separate")
    func twoServers() async throws {
        var terms = DigestServer.Terms()
        (terms.realm, terms.algorithms) = ("other", ["MD5"])
        let servers = [try server(DigestServer()), try server(DigestServer(terms))]
        let authentication = mufasa()
        for statuses in [[401, 200], [200], [200]] {
            for server in servers {
                let responses = try await send(request(server), with: authentication)
                #expect(responses.map(\.statusCode) == statuses)
            }
        }
    }

    @Test("counts concurrent requests")
    func concurrency() async throws {
        let digest = DigestServer()
        let server = try server(digest)
        let authentication = mufasa()
        _ = try await send(request(server), with: authentication)
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for index in 0..<50 {
                group.addTask {
                    try await send(request(server, "/private/\(index)"), with: authentication)
                        .map(\.statusCode)
                }
            }
            for try await statuses in group { #expect(statuses == [200]) }
        }
        #expect(digest.refusals == ["nothing"])
    }

    @Test("answers a nonce of its own in each of many calls at once")
    func nonces() async throws {
        let server = try MockServer()
        let (issued, answered) = (Locked(0), Locked<Set<String>>([]))
        server.route(nil, "/private/*") { request in
            let nonce = request.header("Authorization")?
                .firstMatch(of: /nonce="([^"]*)"/).map { String($0.1) }
            if let nonce, answered.withLock({ $0.insert(nonce).inserted }) { return .text("ok") }
            let next = issued.withLock { issued in
                issued += 1
                return issued
            }
            let challenge = #"Digest realm="r", nonce="\#(next)", qop="auth""#
            let stale = nonce == nil ? "" : ", stale=true"
            return .status(401).header("WWW-Authenticate", challenge + stale)
        }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.authentication = mufasa()
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<32 {
                group.addTask { try await endpoint.get("private/\(index)") }
            }
            for try await text in group { #expect(text == "ok") }
        }
        // The last nonce is answered already, as the server says.
        #expect(try await endpoint.get("private/x", as: String.self) == "ok")
    }

    @Test("answers challenges without consuming retries", arguments: CallStyle.allCases)
    func endpoint(style: CallStyle) async throws {
        var terms = DigestServer.Terms()
        terms.lifetime = 2
        let digest = DigestServer(terms)
        let server = try server(digest)
        let endpoint = testEndpoint(baseURL: server.url("/private"), retryingCount: 0)
        endpoint.authentication = mufasa()
        for _ in 1...5 {
            let request = TextRequest(path: "x", method: .post, body: .string("content"))
            #expect(await style.outcome(of: request, on: endpoint).value == "SHA-256")
        }
        #expect(digest.refusals == ["nothing", "stale", "stale"])
        #expect(server.requests.allSatisfy { $0.text == "content" })

        endpoint.authentication = mufasa("wrong")
        for count in [2, 1] {
            let before = server.requests.count
            let outcome = await style.outcome(of: TextRequest(path: "x"), on: endpoint)
            #expect(outcome.error?.statusCode == 401)
            #expect(server.requests.count == before + count)
        }
    }

    @Test("is replaced by Basic authentication for a server that requires Basic")
    func basic() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { request in
            .status(request.header("Authorization") == "Basic dTpwOnE=" ? 200 : 401)
        }
        let authentication = BasicAuthentication(username: "u", password: "p:q")
        let responses = try await send(request(server, "/x"), with: authentication)
        #expect(responses.map(\.statusCode) == [200])
    }
}

extension Transport {
    /// Sends a request once and waits for the response.
    fileprivate func response(to request: EncodedRequest) async throws -> HTTPResponse {
        let (events, sink) = AsyncThrowingStream.makeStream(of: TransportEvent.self)
        let exchange = send(request, to: Receiver(sink: sink))
        defer { withExtendedLifetime(exchange) {} }
        var head: ResponseHead?
        var body = Data()
        for try await event in events {
            if case .head(let received) = event { head = received }
            if case .body(let data) = event { body += data }
        }
        let received = try #require(head)
        return HTTPResponse(
            request: request.urlRequest,
            url: request.url,
            status: received.status,
            headers: received.headers,
            body: body
        )
    }
}

private final class Receiver: TransportReceiver {
    private let sink: AsyncThrowingStream<TransportEvent, any Error>.Continuation

    init(sink: AsyncThrowingStream<TransportEvent, any Error>.Continuation) {
        self.sink = sink
    }

    func receive(_ event: TransportEvent) {
        if case .finished(let failure) = event {
            sink.finish(throwing: failure)
        } else {
            sink.yield(event)
        }
    }
}
