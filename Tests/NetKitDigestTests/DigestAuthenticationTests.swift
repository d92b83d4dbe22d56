import Foundation
import NetKitSupport
import Testing

@testable import NetKit
@testable import NetKitDigest

@Suite("Digest authentication")
struct DigestAuthenticationTests {
    private let authentication = DigestAuthentication(
        username: "Mufasa",
        password: "Circle of Life"
    )

    /// A request with the proof, if there is one to be had.
    private func request(
        _ url: String = "https://h/a?b=c",
        _ method: HTTPMethod = .get
    ) async throws -> EncodedRequest {
        var request = EncodedRequest(url: try #require(URL(string: url)), method: method)
        try await authentication.authenticate(&request)
        return request
    }

    private func recover(
        _ request: EncodedRequest,
        _ challenge: String?,
        status: HTTPStatus = .unauthorized
    ) async throws -> AuthenticationRecovery {
        let head = ResponseHead(
            status: status,
            headers: challenge.map { [.wwwAuthenticate: $0] } ?? [:]
        )
        let response = HTTPResponse(to: request, head, body: Data())
        return await authentication.recover(from: response, to: request)
    }

    /// A parameter of the proof.
    private func parameter(_ name: String, of request: EncodedRequest) -> String? {
        request.headers[.authorization]
            .flatMap { AuthenticationChallenge.challenges(in: $0).first?.parameters[name] }
    }

    @Test("has an identity of its own for each name and password, with colons in either")
    func identity() {
        let first = DigestAuthentication(username: "a", password: "b:c")
        #expect(first.identity != DigestAuthentication(username: "a:b", password: "c").identity)
        #expect(first.identity == DigestAuthentication(username: "a", password: "b:c").identity)
    }

    @Test("starts without a credential, and answers challenges from then on")
    func remembering() async throws {
        let first = try await request()
        #expect(first.headers.isEmpty)
        #expect(try await recover(first, "Digest realm=r, nonce=n, qop=auth") == .newerCredential)
        let later = [try await request(), try await request("https://H:443/x", .post)]
        #expect(later.map { parameter("nonce", of: $0) } == ["n", "n"])
        #expect(later.map { parameter("uri", of: $0) } == ["/a?b=c", "/x"])
        #expect(later.map { parameter("nc", of: $0) } == ["00000001", "00000002"])
        #expect(parameter("cnonce", of: later[0]) != parameter("cnonce", of: later[1]))
        for request in later {
            let challenge = try #require(
                DigestChallenge.strongest(in: "Digest realm=r, nonce=n, qop=auth")
            )
            let expected = DigestAnswer(
                user: DigestUser(name: "Mufasa", password: "Circle of Life"),
                challenge: challenge,
                method: request.method.rawValue,
                target: try #require(parameter("uri", of: request)),
                count: try #require(
                    parameter("nc", of: request).flatMap { UInt32($0, radix: 16) }
                ),
                clientNonce: try #require(parameter("cnonce", of: request))
            )
            #expect(parameter("response", of: request) == expected.response)
        }
    }

    @Test(
        "returns a response without a supported challenge",
        arguments: [
            (401, nil), (401, ""), (401, "Basic realm=r"), (401, "Digest realm=r"),
            (401, "Digest realm=r, nonce=n, qop=auth-conf"),
            (401, "Digest realm=r, nonce=n, algorithm=SHA-512"),
            (200, "Digest realm=r, nonce=n"), (403, "Digest realm=r, nonce=n"),
            (407, "Digest realm=r, nonce=n"),
        ] as [(Int, String?)]
    )
    func standing(status: Int, challenge: String?) async throws {
        let first = try await request()
        let recovery = try await recover(first, challenge, status: HTTPStatus(rawValue: status))
        #expect(recovery == .none)
        #expect(try await request().headers.isEmpty)
    }

    @Test(
        "answers a challenge after a credential only if it asks for a new one",
        arguments: [
            ("Digest realm=r, nonce=n, qop=auth", .none, "n"),
            ("Digest realm=r, nonce=n, qop=auth, stale=false", .none, "n"),
            ("Digest realm=r, nonce=n, qop=auth, stale=no", .none, "n"),
            ("Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256", .none, "n"),
            ("Basic realm=r", .none, "n"), ("Digest realm=r, nonce=x, qop=auth-conf", .none, "n"),
            ("Digest realm=r, nonce=n, qop=auth, stale=true", .newerCredential, "n"),
            ("Digest realm=r, nonce=m, qop=auth, stale=TRUE", .newerCredential, "m"),
            ("Digest realm=r, nonce=m, qop=auth", .none, "m"),
            ("Digest realm=s, nonce=n, qop=auth", .refreshed, "n"),
        ] as [(String, AuthenticationRecovery, String)]
    )
    func again(challenge: String, recovery: AuthenticationRecovery, nonce: String) async throws {
        let first = try await request()
        #expect(try await recover(first, "Digest realm=r, nonce=n, qop=auth") == .newerCredential)
        let second = try await request()
        #expect(try await recover(second, challenge) == recovery)
        #expect(parameter("nonce", of: try await request()) == nonce)
    }

    @Test("takes a new nonce for the end of the last one only after the password was accepted")
    func silentlyStale() async throws {
        _ = try await recover(try await request(), "Digest realm=r, nonce=1, qop=auth")
        let first = try await request()
        #expect(try await recover(first, nil, status: .ok) == .none)
        #expect(try await recover(first, "Digest realm=r, nonce=2, qop=auth") == .refreshed)
    }

    @Test("keeps counting when the server repeats a stale nonce")
    func sameNonce() async throws {
        let first = try await request()
        _ = try await recover(first, "Digest realm=r, nonce=n, qop=auth")
        let second = try await request()
        _ = try await recover(second, "Digest realm=r, nonce=n, qop=auth, stale=true")
        #expect(parameter("nc", of: try await request()) == "00000002")
    }

    /// Tells the authentication of a response to a request, which names the next nonce.
    private func name(_ next: String, to request: EncodedRequest) async throws {
        let head = ResponseHead(
            status: 200,
            headers: ["Authentication-Info": "qop=auth, nextnonce=\"\(next)\", nc=00000001"]
        )
        let response = HTTPResponse(to: request, head, body: Data())
        #expect(await authentication.recover(from: response, to: request) == .none)
    }

    @Test("switches to the server's next nonce, and counts from 1")
    func nextNonce() async throws {
        _ = try await recover(try await request(), "Digest realm=r, nonce=n, qop=auth")
        let requests = [try await request(), try await request()]
        try await name("m", to: requests[0])
        let next = try await request()
        #expect(parameter("nonce", of: next) == "m" && parameter("nc", of: next) == "00000001")
        // A response to an older nonce, and one that names the same again.
        try await name("n", to: requests[1])
        try await name("m", to: next)
        let last = try await request()
        #expect(parameter("nonce", of: last) == "m" && parameter("nc", of: last) == "00000002")
        // Nor does a response to a credential of another scheme count.
        var other = last
        other.headers[.authorization] = "Basic realm=r, nonce=m"
        try await name("x", to: other)
        #expect(parameter("nonce", of: try await request()) == "m")
    }

    @Test("keeps the session key across next nonces")
    func sessionNonce() async throws {
        let field = "Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256-sess"
        _ = try await recover(try await request(), field)
        let first = try await request()
        try await name("m", to: first)
        let second = try await request()
        #expect(parameter("cnonce", of: second) == parameter("cnonce", of: first))
        let answer = DigestAnswer(
            user: DigestUser(name: "Mufasa", password: "Circle of Life"),
            challenge: try #require(DigestChallenge.strongest(in: field)).renewed(with: "m"),
            method: "GET",
            target: "/a?b=c",
            count: 1,
            clientNonce: try #require(parameter("cnonce", of: first))
        )
        #expect(parameter("response", of: second) == answer.response)
    }

    @Test("sends no credential for a live body when its hash is required")
    func liveBody() async throws {
        _ = try await recover(try await request(), "Digest realm=r, nonce=n, qop=auth-int")
        #expect(parameter("qop", of: try await request()) == "auth-int")
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .post)
        request.body = BodySource(BodySequence(AsyncStream<Data> { $0.finish() }))
        try await authentication.authenticate(&request)
        #expect(request.headers.isEmpty)
        // It took no count.
        #expect(parameter("nc", of: try await self.request()) == "00000002")
    }

    @Test("fails with the read error of a body whose hash is required")
    func unreadableBody() async throws {
        struct Unreadable: Error, Equatable {}
        _ = try await recover(try await request(), "Digest realm=r, nonce=n, qop=auth-int")
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .post)
        request.body = BodySource(length: 1) { throw Unreadable() }
        await #expect(throws: Unreadable()) { try await authentication.authenticate(&request) }
    }

    @Test("ignores the 401 of another credential")
    func foreign() async throws {
        for value in ["Bearer t", "Basic dTpw", "", "Digest"] {
            var request = try await request()
            request.headers[.authorization] = value
            let recovery = try await recover(request, "Digest realm=r, nonce=n")
            #expect(recovery == (value == "Digest" ? .refreshed : .none))
        }
    }

    @Test("keeps the challenges of origins separate")
    func origins() async throws {
        for (url, nonce) in [("http://h/", "1"), ("https://h/", "2"), ("http://h:81/", "3")] {
            let first = try await request(url)
            #expect(first.headers.isEmpty)
            #expect(try await recover(first, "Digest realm=r, nonce=\(nonce)") == .newerCredential)
        }
        for (url, nonce) in [("http://h:80/x", "1"), ("https://H/x", "2"), ("http://h:81/x", "3")] {
            #expect(parameter("nonce", of: try await request(url)) == nonce)
        }
        #expect(try await request("http://i/").headers.isEmpty)
        #expect(try await request("ftp://h/").headers.isEmpty)
    }

    @Test("counts once for each of a hundred concurrent requests")
    func concurrency() async throws {
        let first = try await request()
        _ = try await recover(first, "Digest realm=r, nonce=n, qop=auth")
        let proofs = try await withThrowingTaskGroup(of: EncodedRequest.self) { group in
            for _ in 0..<100 { group.addTask { try await request() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let counts = Set(proofs.compactMap { parameter("nc", of: $0) })
        #expect(counts.count == 100)
        #expect(counts.max() == "00000064")
        #expect(Set(proofs.compactMap { parameter("cnonce", of: $0) }).count == 100)
    }

    @Test(
        "signs the target as written in the URL",
        arguments: [
            ("http://h", "/"), ("http://h/", "/"), ("http://h?q", "/?q"), ("http://h#f", "/"),
            ("http://u:p@h:8/a%20b/%C3%A9;x=1/?a=%22&b=/#f?", "/a%20b/%C3%A9;x=1/?a=%22&b=/"),
            ("https://h/a%2fb//c?x?y:z", "/a%2fb//c?x?y:z"), ("http://h/a:b@c", "/a:b@c"),
        ]
    )
    func targets(url: String, target: String) throws {
        let address = try #require(URL(string: url)).absoluteString
        #expect(RequestTarget.text(of: address) == target)
    }

    @Test("appears in no description")
    func showing() {
        let authentication = DigestAuthentication(username: "SECRET", password: "SECRET")
        var dumped = ""
        dump(authentication, to: &dumped)
        #expect(dumped.contains("‹redacted›"))
        for text in ["\(authentication)", String(reflecting: authentication), dumped] {
            #expect(!text.contains("SECRET"))
        }
    }
}
