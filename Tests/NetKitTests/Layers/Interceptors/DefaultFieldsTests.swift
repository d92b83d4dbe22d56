import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Default fields")
struct DefaultFieldsTests {
    private struct Missing: Error {}

    private let url = URL(string: "https://a.example/x") ?? URL(fileURLWithPath: "/")

    private func fields(_ marked: Bool = false) -> DefaultFields {
        DefaultFields {
            var fields: HTTPHeaders = [
                "User-Agent": "Mine/1", "X-Tenant": "7", "Content-Length": "9",
            ]
            fields.set("X-Key", to: "k", isSensitive: true)
            return fields
        }
    }

    @Test("adds the missing fields at home, with their sensitivity and without a length")
    func home() async throws {
        let request = EncodedRequest(
            url: url,
            method: .get,
            headers: ["x-tenant": "8", "Accept": "a/b"]
        )
        let added = try await fields().added(to: request, isHome: true)
        #expect(
            added.headers.dictionary == [
                "Accept": "a/b", "x-tenant": "8", "User-Agent": "Mine/1", "X-Key": "k",
            ]
        )
        #expect(added.headers.fields.filter(\.isSensitive).map(\.name) == ["X-Key"])
    }

    @Test("adds only the User-Agent at another origin")
    func elsewhere() async throws {
        let request = EncodedRequest(url: url, method: .get, headers: [:])
        let added = try await fields().added(to: request, isHome: false)
        #expect(added.headers.dictionary == ["User-Agent": "Mine/1"])
        let standard = EncodedRequest(
            url: url,
            method: .get,
            headers: [.userAgent: UserAgent.standard]
        )
        #expect(
            try await fields().added(to: standard, isHome: false).headers[.userAgent] == "Mine/1"
        )
        let named = EncodedRequest(url: url, method: .get, headers: ["user-agent": "Other/2"])
        #expect(
            try await fields().added(to: named, isHome: false).headers.dictionary == [
                "user-agent": "Other/2"
            ]
        )
    }

    @Test("rejects a field that can't be sent")
    func unsendable() async throws {
        let broken = DefaultFields { ["X-Note": "a\r\nb"] }
        await #expect(throws: InvalidRequest.self) {
            try await broken.added(
                to: EncodedRequest(url: url, method: .get, headers: [:]),
                isHome: true
            )
        }
    }

    @Test("adds the missing fields to a URLRequest of a custom interceptor")
    func foundation() async throws {
        var request = URLRequest(url: url)
        request.setValue("8", forHTTPHeaderField: "x-tenant")
        request.setValue(UserAgent.standard, forHTTPHeaderField: "User-Agent")
        let sent = Locked<[String: String]?>(nil)
        let response = try await DefaultFields { ["User-Agent": "Mine/1", "X-Tenant": "7"] }
            .intercept(request) { request in
                sent.withLock { $0 = request.allHTTPHeaderFields }
                return HTTPResponse(
                    to: EncodedRequest(url: url, method: .get, headers: [:]),
                    .init(status: 204),
                    body: Data()
                )
            }
        #expect(response.status == 204)
        #expect(sent.withLock { $0?["User-Agent"] } == "Mine/1")
        #expect(sent.withLock { $0?.first { $0.key.lowercased() == "x-tenant" }?.value } == "8")
    }

    @Test("fails as its closure does, and sends nothing")
    func failing() async throws {
        let broken = DefaultFields { throw Missing() }
        await #expect(throws: Missing.self) {
            try await broken.intercept(URLRequest(url: url)) { _ in
                Issue.record("sent")
                throw CancellationError()
            }
        }
        await #expect(throws: Missing.self) {
            try await broken.added(
                to: EncodedRequest(url: url, method: .get, headers: [:]),
                isHome: true
            )
        }
    }
}
