import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit
import NetKitCache

/// A text that says how a cache is used for it.
struct CachedText: Request {
    typealias ResponseObjectType = String
    var path = "text"
    var method = HTTPMethod.get
    var cachePolicy = CachePolicy.standard
    var headers: HTTPHeaders = [:]
    var redaction: Redaction?
    var isAuthenticated = true
    var priority = RequestPriority.normal
}

/// A server, an endpoint with a cache in memory, and a clock that is moved by hand.
struct CacheSetting {
    let server: MockServer
    let endpoint: Endpoint
    let clock = ManualClock(skippingDelays: true)
    let cache: HTTPCache

    init(_ cache: HTTPCache = .memory()) throws {
        self.cache = cache
        server = try MockServer()
        endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
        endpoint.cache = cache
    }

    /// Answers with the number of the request, as `control` says.
    func serve(
        _ control: String,
        at path: String = "/text",
        _ fields: [(String, String)] = []
    ) {
        route(path) { number, request in
            let tag = fields.first { $0.0 == "ETag" }?.1
            let isValid = tag != nil && request.headers(named: "If-None-Match").first == tag
            let answer = isValid ? MockResponse.status(304) : .text("\(number)")
            return fields.reduce(answer.header("Cache-Control", control)) { $0.header($1.0, $1.1) }
        }
    }

    /// Answers by the number of the request, counted from 1.
    func route(
        _ path: String,
        _ answer: @escaping @Sendable (_ number: Int, RecordedRequest) -> MockResponse
    ) {
        let count = Locked(0)
        server.route(nil, path) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return answer(number, request)
        }
    }

    func response(
        _ request: CachedText = CachedText(),
        on other: Endpoint? = nil
    ) async throws -> Response<String> {
        try await (other ?? endpoint).response(for: request)
    }

    func get(
        _ request: CachedText = CachedText(),
        on other: Endpoint? = nil
    ) async throws -> String {
        let response = try await response(request, on: other)
        return "\(response.value) \(response.cacheOutcome)"
    }
}

/// A suite about an endpoint with a cache.
protocol CacheSuite {
    var setting: CacheSetting { get }
}

extension CacheSuite {
    var server: MockServer { setting.server }
    var endpoint: Endpoint { setting.endpoint }
    var cache: HTTPCache { setting.cache }
}
