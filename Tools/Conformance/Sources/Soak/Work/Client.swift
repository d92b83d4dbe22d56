import Foundation
import NetKit
import NetKitCache
import NetKitCookies

/// The endpoints of one engine, over one transport.
///
/// What would affect other work has its own endpoint: a host's pause, credentials, cookies and caches.
final class Client: Sendable {
    let engine: Engine
    let transport: any Transport
    let baseURL: URL
    /// The folder of downloads and uploads, empty when no operation is in flight.
    let files: URL
    let plain: Endpoint
    let secured: Endpoint
    let busy: Endpoint
    let cookies: Endpoint
    /// In memory and on disk.
    let caches: [Endpoint]

    init(_ engine: Engine, server: URL, folder: URL, calls: CallCount) throws {
        self.engine = engine
        baseURL = server
        let transport = engine.makeTransport()
        self.transport = transport
        func endpoint() -> Endpoint {
            Self.endpoint(server, engine, over: transport, calls: calls)
        }
        plain = endpoint()
        secured = endpoint()
        secured.authentication = BearerAuthentication(token: nil, refreshing: Self.refresh)
        busy = endpoint()
        cookies = endpoint()
        cookies.cookies = CookieJar()
        caches = [endpoint(), endpoint()]
        // So small that responses are evicted all the time.
        caches[0].cache = .memory(capacity: 48 << 10)
        caches[1].cache = try .disk(folder.appendingPathComponent("cache"), capacity: 96 << 10)
        files = folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    }

    static func endpoint(
        _ server: URL,
        _ engine: Engine,
        over transport: any Transport,
        calls: CallCount
    ) -> Endpoint {
        let endpoint = Endpoint(baseURL: server, transport: transport)
        endpoint.retryPolicy = RetryPolicy(
            maximumRetries: 2,
            backoff: .exponential(base: .milliseconds(10))
        )
        // A budget would refuse retries depending on the machine's speed.
        endpoint.retryPolicy.hasBudget = false
        endpoint.maximumConcurrentRequestsPerHost = 5
        endpoint.maximumConcurrentStreamsPerHost = 4
        // Silence must not end as a retry: an operation that waits for nothing is to be found.
        endpoint.timeouts.idle = .seconds(3_600)
        calls.observe(endpoint, over: engine)
        return endpoint
    }

    private static func refresh(_ old: String?, _ endpoint: Endpoint) async throws -> String {
        try await endpoint.value(for: DefaultRequest<String, ServerMessage>(path: "token"))
    }

    var endpoints: [Endpoint] { [plain, secured, busy, cookies] + caches }

    /// Ends the endpoints and the transport.
    func shutDown() async {
        for endpoint in endpoints { await endpoint.shutdown(deadline: .seconds(30)) }
        await Engine.shutDown(transport)
    }
}
