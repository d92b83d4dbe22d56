import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import Examples

@Suite("Signed exchanges", .timeLimit(.minutes(15)))
struct SigningScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private func sign(
        elsewhere: @escaping @Sendable (URL) -> Bool = { _ in false },
        credentials: @escaping @Sendable () async throws -> AWSCredentials = {
            AWSCredentials(accessKey: "AKID", secretKey: "key", sessionToken: "token")
        }
    ) {
        let clock = Ticks()
        var signature = AWSSignature<Examples.SHA256>(
            region: "eu-central-1",
            service: "s3",
            home: endpoint.baseURL,
            now: { clock.next() },
            credentials: credentials
        )
        signature.signsElsewhere = elsewhere
        endpoint.interceptors = [signature]
    }

    /// Signs again what a server received as the exchange of a number, from 1.
    private func expectSigned(
        _ request: RecordedRequest,
        number: Int,
        by server: MockServer
    ) async throws {
        let authorization = try #require(request.header("Authorization"))
        let list = try #require(authorization.split(separator: "SignedHeaders=").last)
        var headers = HTTPHeaders()
        for name in list.prefix(while: { $0 != "," }).split(separator: ";") where name != "host" {
            headers[HTTPHeaderName(String(name))] = request.header(String(name))
        }
        // The hash is that of the body which arrived.
        headers["X-Amz-Content-SHA256"] = nil
        let signature = AWSSignature<Examples.SHA256>(
            region: "eu-central-1",
            service: "s3",
            home: server.baseURL,
            now: { Date(timeIntervalSince1970: Ticks.start + Double(number)) },
            credentials: {
                AWSCredentials(accessKey: "AKID", secretKey: "key", sessionToken: "token")
            }
        )
        let again = EncodedRequest(
            url: server.url(request.target),
            method: request.method,
            headers: headers,
            body: BodySource(request.body)
        )
        #expect(try await signature.signed(again).headers[.authorization] == authorization)
    }

    @Test("signs a retry anew, with its own time")
    func retry() async throws {
        server.enqueue(.status(503), .status(200))
        sign()
        try await endpoint.put("a/b c", .form(["q": "1+1"]))
        let sent = server.requests
        #expect(sent.map { $0.header("X-Amz-Date") } == ["20260102T030406Z", "20260102T030407Z"])
        for (index, request) in sent.enumerated() {
            try await expectSigned(request, number: index + 1, by: server)
        }
        #expect(sent[0].header("Authorization") != sent[1].header("Authorization"))
    }

    @Test("signs a redirect to the same origin anew, with its body")
    func redirect() async throws {
        server.enqueue(.redirect(to: "/other?b=1&a=2", status: 307), .status(200))
        sign()
        try await endpoint.put("a", .string("text"))
        let sent = server.requests
        #expect(sent.map(\.target) == ["/a", "/other?b=1&a=2"])
        #expect(sent.map(\.text) == ["text", "text"])
        for (index, request) in sent.enumerated() {
            try await expectSigned(request, number: index + 1, by: server)
        }
    }

    @Test("sends neither signature nor token to another origin", arguments: [302, 307])
    func foreignRedirect(_ status: Int) async throws {
        let foreign = try MockServer()
        foreign.enqueue(.status(200))
        server.enqueue(.redirect(to: foreign.url("/a").absoluteString, status: status))
        sign()
        try await endpoint.put("a", .string("text"))
        #expect(server.requests.first?.header("X-Amz-Security-Token") == "token")
        let arrived = try #require(foreign.requests.first)
        #expect(arrived.header("Authorization") == nil)
        #expect(!arrived.headers.contains { $0.name.rawName.lowercased().hasPrefix("x-amz-") })
    }

    @Test("signs a redirect to an allowed origin for its host")
    func allowedRedirect() async throws {
        let other = try MockServer()
        other.enqueue(.status(200))
        server.enqueue(.redirect(to: other.url("/a").absoluteString, status: 307))
        sign(elsewhere: { [port = other.port] in $0.port == port })
        try await endpoint.put("a", .string("text"))
        try await expectSigned(try #require(other.requests.first), number: 2, by: other)
    }

    private static let hourLater = "Fri, 02 Jan 2026 04:04:06 GMT"

    @Test(
        "signs again with the server's time when it refuses that of a wrong clock",
        arguments: [400, 403]
    )
    func wrongClock(_ status: Int) async throws {
        server.enqueue(.status(status).header("Date", Self.hourLater), .status(200), .status(200))
        sign()
        try await endpoint.put("a", .string("text"))
        try await endpoint.put("b", .string("text"))
        // The clock adds a second each time, also when the times are compared.
        #expect(
            server.requests.map { $0.header("X-Amz-Date") }
                == ["20260102T030406Z", "20260102T040407Z", "20260102T040408Z"]
        )
        #expect(server.requests.map(\.text) == ["text", "text", "text"])
    }

    @Test("signs all calls again that a wrong clock signed at the same time")
    func wrongClockOfMany() async throws {
        let asked = Locked(0)
        for path in ["/a", "/b"] {
            server.route("PUT", path) { request in
                request.header("X-Amz-Date")?.hasPrefix("20260102T03") == true
                    ? .status(403).header("Date", Self.hourLater) : .status(200)
            }
        }
        sign(credentials: {
            asked.withLock { $0 += 1 }
            while asked.withLock({ $0 }) < 2, !Task.isCancelled { await Task.yield() }
            return AWSCredentials(accessKey: "key", secretKey: "secret")
        })
        async let first: Void = endpoint.put("a", .string("text"))
        async let second: Void = endpoint.put("b", .string("text"))
        _ = try await (first, second)
        #expect((3...4).contains(server.requests.count))
    }

    @Test(
        "takes a refusal at the right time as it is",
        arguments: ["Fri, 02 Jan 2026 03:05:06 GMT", "yesterday"]
    )
    func refusal(_ date: String) async throws {
        server.enqueue(.status(403).header("Date", date))
        sign()
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.put("a", .string("text"))
        }
        #expect(error?.statusCode == 403)
        #expect(server.requests.count == 1)
    }

    @Test("takes the time of no other origin, and signs at most twice")
    func foreignClock() async throws {
        let foreign = try MockServer()
        foreign.enqueue(.status(403).header("Date", Self.hourLater))
        server.enqueue(.redirect(to: foreign.url("/a").absoluteString, status: 307))
        sign()
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.put("a", .string("text"))
        }
        #expect(foreign.requests.count == 1)
        server.enqueue(
            .status(403).header("Date", Self.hourLater),
            .status(403).header("Date", "Fri, 02 Jan 2026 09:04:06 GMT")
        )
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.put("a", .string("text"))
        }
        #expect(server.requests.count == 3)
    }

    @Test("ends the call with the error of the credentials")
    func noCredentials() async throws {
        struct Expired: Error {}
        sign(credentials: { throw Expired() })
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.put("a", .string("text"))
        }
        guard case .interceptor(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is Expired)
        #expect(server.requests.isEmpty)
    }
}

/// A clock that adds a second each time.
private final class Ticks: Sendable {
    /// 2026-01-02 03:04:05.
    static let start = 1_767_323_045.0

    private let count = Locked(0)

    func next() -> Date {
        count.withLock { count in
            count += 1
            return Date(timeIntervalSince1970: Self.start + Double(count))
        }
    }
}
