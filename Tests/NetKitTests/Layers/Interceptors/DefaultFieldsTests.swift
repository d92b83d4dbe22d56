import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Default fields")
struct DefaultFieldsTests {
    private struct Missing: Error {}

    private let url = URL(string: "https://a.example/x") ?? URL(fileURLWithPath: "/")

    private let fields = DefaultFields {
        var fields: HTTPHeaders = ["User-Agent": "Mine/1", "X-Tenant": "7"]
        fields.set("X-Key", to: "k", isSensitive: true)
        fields.append("a", for: "X-Tag")
        fields.append("b", for: "X-Tag")
        return fields
    }

    /// Returns the request that the fields pass on, below an endpoint with the base URL `home`.
    private func sent(
        _ headers: HTTPHeaders,
        below home: String?
    ) async throws -> (EncodedRequest, isSame: Bool) {
        let request = EncodedRequest(url: url, method: .get, headers: headers)
        let sent = Locked<EncodedRequest?>(nil)
        var context = RequestContext()
        context.home = home.flatMap { URL(string: $0) }.flatMap { Origin($0) }
        _ = try await RequestContext.$ofTask.withValue(context) {
            try await fields.intercept(
                request,
                next: InterceptorNext { request, _ in
                    sent.withLock { $0 = request }
                    return HTTPResponse(to: request, status: .noContent)
                }
            )
        }
        let passed = try #require(sent.withLock { $0 })
        return (passed, passed.isSame(as: request))
    }

    @Test("adds the missing fields at home, with their sensitivity")
    func home() async throws {
        let (added, _) = try await sent(
            ["x-tenant": "8", "Accept": "a/b"],
            below: "https://a.example/api"
        )
        #expect(
            added.headers.dictionary == [
                "Accept": "a/b", "x-tenant": "8", "User-Agent": "Mine/1", "X-Key": "k",
                "X-Tag": "a, b",
            ]
        )
        #expect(added.headers.fields.filter(\.isSensitive).map(\.name) == ["X-Key"])
    }

    @Test("adds all values of a missing field, which stay at home, and none of a present one")
    func repeats() async throws {
        let (added, _) = try await sent(["X-Tenant": "8"], below: "https://a.example")
        #expect(added.headers.values(for: "X-Tag") == ["a", "b"])
        #expect(added.headers.values(for: "X-Tenant") == ["8"])
        let tags = added.headers.fields.filter { $0.name == "X-Tag" }
        #expect(tags.allSatisfy(\.staysHome) && !tags.contains(where: \.isSensitive))
        #expect(added.headers.withoutCredentials()["X-Tag"] == nil)
    }

    @Test(
        "adds only the User-Agent at another origin",
        arguments: ["https://b.example", "http://a.example", nil]
    )
    func elsewhere(base: String?) async throws {
        let (added, _) = try await sent([:], below: base)
        #expect(added.headers.dictionary == ["User-Agent": "Mine/1"])
    }

    @Test("replaces NetKit's own User-Agent")
    func standard() async throws {
        let (added, _) = try await sent([.userAgent: UserAgent.standard], below: nil)
        #expect(added.headers.dictionary == ["User-Agent": "Mine/1"])
    }

    @Test("passes a request that has the fields on without a copy")
    func present() async throws {
        let (request, isSame) = try await sent(["user-agent": "Other/2"], below: nil)
        #expect(request.headers.dictionary == ["user-agent": "Other/2"])
        #expect(isSame)
    }

    @Test("fails as its closure does, and sends nothing")
    func failing() async throws {
        let broken = DefaultFields { throw Missing() }
        await #expect(throws: Missing.self) {
            try await broken.intercept(
                EncodedRequest(url: url, method: .get),
                next: InterceptorNext { _, _ in
                    Issue.record("sent")
                    throw CancellationError()
                }
            )
        }
    }
}
