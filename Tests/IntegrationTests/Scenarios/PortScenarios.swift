import Foundation
import NetKit
import NetKitPaging
import NetKitTesting
import Testing

/// What a server, a request or an interceptor says is refused before any transport sees it.
@Suite("URL with an invalid port", .timeLimit(.minutes(15)))
struct PortScenarios {
    private static let urls = [
        "http://127.0.0.1:99999/x", "http://127.0.0.1:0/x", "http://127.0.0.1:65536/x",
        "http://127.0.0.1:18446744073709551697/x",
    ]

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("fails a redirect", arguments: urls)
    func redirect(url: String) async throws {
        server.enqueue(.redirect(to: url))
        let error = await CallStyle.async.outcome(of: TextRequest(path: "a"), on: endpoint).error
        guard case .transport(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .unsafeRedirect)
        #expect((failure.underlying as? InvalidRequest)?.reason == .invalidURL(url))
        #expect(server.requests.count == 1)
    }

    @Test("fails paging at a link", arguments: urls)
    func link(url: String) async throws {
        server.enqueue(.text("1").header("Link", "<\(url)>; rel=next"))
        var reader =
            endpoint.pages(
                of: TextRequest(path: "a"),
                followsOtherOrigins: true
            )
            .makeAsyncIterator()
        #expect(try await reader.next()?.value == "1")
        await #expect(throws: PagingFailure.invalidLink(url)) { try await reader.next() }
        #expect(server.requests.count == 1)
    }

    @Test("fails polling at a Location", arguments: urls)
    func polling(url: String) async throws {
        server.enqueue(.status(202).header("Location", url))
        await #expect(throws: PollingFailure.invalidLocation(url)) {
            try await endpoint.poll(
                TextRequest(path: "a"),
                backoff: .none,
                followsOtherOrigins: true
            )
        }
        #expect(server.requests.count == 1)
    }

    @Test(
        "is an invalid request from an interceptor, a path or a base URL",
        arguments: urls
    )
    func described(url: String) async throws {
        let target = try #require(URL(string: url))
        let changed = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        changed.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.url = target
                return try await next(request)
            }
        ]
        let outcomes = [
            await CallStyle.async.outcome(of: TextRequest(path: "a"), on: changed),
            await CallStyle.async.outcome(of: TextRequest(path: url), on: endpoint),
            await CallStyle.async.outcome(
                of: TextRequest(path: "a"),
                on: testEndpoint(baseURL: target, retryingCount: 0)
            ),
        ]
        for outcome in outcomes {
            guard case .invalidRequest(let refusal) = outcome.error else {
                Issue.record("\(String(describing: outcome.error))")
                continue
            }
            #expect(refusal.reason == .invalidURL(url))
        }
        #expect(server.requests.isEmpty)
    }
}
