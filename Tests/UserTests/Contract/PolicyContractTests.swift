import Foundation
import NetKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Stamp: Interceptor {
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        try await next(request)
    }
}

private struct Signing: Interceptor {
    let scope = InterceptorScope.exchange

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let rest: InterceptorNext = next
        return try await rest.callAsFunction(request)
    }
}

private struct Unsigned: Authentication {}

@Suite("Public interface of policies and settings")
struct PolicyContractTests {
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://api.example.com"))
    }

    @Test("has the contract's defaults")
    func defaults() {
        let timeouts = Timeouts()
        let (idle, total): (Duration, Duration?) = (timeouts.idle, timeouts.total)
        #expect(idle == .seconds(60) && total == nil)
        #expect(Timeouts(idle: .seconds(1), total: .seconds(2)).total == .seconds(2))
        let policy = RetryPolicy(maximumRetries: 2)
        #expect(policy.statuses == [408, 429, 500, 502, 503, 504])
        #expect(policy.methods == [.get, .head, .put, .delete, .options, .trace, .query])
        #expect(policy.maximumRetryAfter == .seconds(60) && policy.backoff == .exponential())
        let full = RetryPolicy(
            maximumRetries: 1,
            backoff: .none,
            statuses: [500],
            methods: [.get],
            maximumRetryAfter: .zero
        )
        #expect(full.maximumRetries == 1)
        let policies: [RetryPolicy] = [.never, .standard]
        #expect(policies[0].maximumRetries == 0)
        let redirects: [RedirectPolicy] = [.follow, .doNotFollow, .follow(maximum: 3)]
        #expect(redirects.count == 3)
        func described(_ backoff: Backoff) -> String {
            switch backoff {
            case .none: "none"
            case .constant(let delay): "\(delay)"
            case .exponential(let base, let factor, let maximum, let jitter):
                "\(base) \(factor) \(maximum) \(jitter)"
            }
        }
        #expect(described(.exponential()) == "0.3 seconds 2.0 30.0 seconds true")
        #expect(described(.constant(.seconds(1))) == "1.0 seconds" && described(.none) == "none")
        let redactions: [Redaction] = [
            .none, .secrets, Redaction(headers: ["X"]), Redaction(headers: [], queryNames: ["q"]),
        ]
        #expect(redactions.count == 4)
    }

    @Test("belongs to an endpoint, and can be set at any time")
    func settings() throws {
        let plain = Endpoint(baseURL: url)
        let endpoint = Endpoint(
            baseURL: url,
            decoder: JSONDecoder(),
            responseQueue: .main,
            sessionConfiguration: .ephemeral,
            retryingCount: 3,
            headers: ["A": "1"]
        )
        let base: URL = endpoint.baseURL
        let configuration: URLSessionConfiguration = endpoint.sessionConfiguration
        let count: Int = plain.retryingCount
        #expect(base == url && configuration.timeoutIntervalForRequest > 0 && count == 1)
        #expect(plain.maximumConcurrentRequests == 64 && plain.maximumResponseSize == 64 << 20)
        #expect(plain.maximumConcurrentStreamsPerHost == 32)
        #expect(endpoint.retryingCount == 3 && endpoint.headers["A"] == "1")
        endpoint.headers = ["B": "2"]
        endpoint.updateHeaders { headers in headers["C"] = "3" }
        #expect(endpoint.headers.map(\.value) == ["2", "3"])
        endpoint.decoder = nil as JSONDecoder?
        endpoint.responseQueue = nil as DispatchQueue?
        endpoint.retryingCount = 0
        endpoint.retryPolicy = .never
        endpoint.timeouts = Timeouts(idle: .seconds(1))
        endpoint.redirectPolicy = .doNotFollow
        endpoint.maximumResponseSize = 1 << 20
        endpoint.authentication = Unsigned() as any Authentication
        endpoint.interceptors = [Stamp(), Signing()] as [any Interceptor]
        #expect(endpoint.interceptors.map(\.scope) == [.attempt, .exchange])
        let (queue, timeouts): (DispatchQueue?, Timeouts) = (
            endpoint.responseQueue, endpoint.timeouts
        )
        #expect(queue == nil && endpoint.decoder == nil && timeouts.idle == .seconds(1))
        #expect(endpoint.retryPolicy.maximumRetries == 0 && endpoint.maximumResponseSize == 1 << 20)
        let _: RedirectPolicy = endpoint.redirectPolicy
        #expect(endpoint.authentication is Unsigned && endpoint.interceptors.first is Stamp)
        endpoint.cancelAllRequests()

        let observation: ObservationManager = endpoint.observation
        let token: ObservationManager.Token = observation.register(
            for: DefaultRequest<Data, String>.self
        ) { (_: DefaultRequest<Data, String>, _: Result<Data, ErrorResponse<String>>) in }
        let other = observation.register(for: [404]) { (_: HTTPResponse) in }
        #expect(Set([token, other]).count == 2)
        observation.unregister(token)
        observation.unregister(other)
    }

    @Test("passes the stale token and an endpoint to a bearer token refresh")
    func bearer() {
        let closure: @Sendable (String?) async throws -> String = { stale in stale ?? "new" }
        let withEndpoint: @Sendable (String?, Endpoint) async throws -> String = { _, endpoint in
            endpoint.baseURL.absoluteString
        }
        let all: [BearerAuthentication] = [
            BearerAuthentication(token: "t", refresh: closure),
            BearerAuthentication(token: "t", refreshingOn: [401, 403], refresh: closure),
            BearerAuthentication(token: "t", refreshing: withEndpoint),
            BearerAuthentication(token: "t", refreshingOn: [401], refreshing: withEndpoint),
            BearerAuthentication(token: "t") { stale in stale ?? "new" },
            BearerAuthentication(token: "t") { _, endpoint in endpoint.baseURL.path },
        ]
        let tokens: [String?] = all.map(\.token)
        #expect(tokens == Array(repeating: "t", count: 6))
        let none: String? = BearerAuthentication(token: nil, refresh: closure).token
        #expect(none == nil)
    }

    @Test("previews a request without its secrets")
    func inspection() throws {
        let endpoint = Endpoint(baseURL: url)
        let request = DefaultRequest<Void, String>(path: "p", authToken: .bearer("hush"))
        func sent() throws(InvalidRequest) -> URLRequest { try endpoint.urlRequest(for: request) }
        #expect(try sent().url?.path == "/p")
        let hidden: String = try endpoint.cURL(for: request)
        #expect(!hidden.contains("hush"))
        #expect(try endpoint.cURL(for: request, redacting: .none).contains("hush"))
    }
}
