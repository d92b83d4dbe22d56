import Foundation
import NetKit
import NetKitCache
import NetKitCookies

/// The state that commands of an engine share: transports, cookie jars and caches.
actor Sessions {
    private var transports: [String: any Transport] = [:]
    private var jars: [String: CookieJar] = [:]
    private var caches: [String: HTTPCache] = [:]

    /// Creates the endpoint of a command.
    func endpoint(_ base: URL, for command: SendCommand) throws -> Endpoint {
        let options = command.options ?? SendCommand.Options()
        let endpoint = Endpoint(
            baseURL: base,
            transport: try transport(command.engine, authorities: options.authorities)
        )
        let timeout = Duration.seconds(options.timeout ?? 60)
        endpoint.timeouts = Timeouts(idle: timeout, total: timeout)
        // The suites count requests.
        endpoint.retryPolicy =
            options.retries.map { RetryPolicy(maximumRetries: $0, backoff: .none) } ?? .never
        if let redirects = options.redirects {
            endpoint.redirectPolicy = redirects == 0 ? .doNotFollow : .follow(maximum: redirects)
        }
        endpoint.authentication = options.authentication?.authentication()
        if let aws = options.aws { endpoint.interceptors = [aws.signature(home: base)] }
        if let size = options.maximumResponseSize { endpoint.maximumResponseSize = size }
        func key(_ name: String) -> String { "\(command.engine.rawValue) \(name)" }
        if let key = options.cookies.map(key) {
            let jar = jars[key] ?? CookieJar()
            jars[key] = jar
            endpoint.cookies = jar
        }
        if let key = options.cache.map(key) {
            let cache = caches[key] ?? .memory()
            caches[key] = cache
            endpoint.cache = cache
        }
        return endpoint
    }

    private func transport(_ engine: Engine, authorities: String?) throws -> any Transport {
        let key = "\(engine.rawValue) \(authorities ?? "")"
        if let transport = transports[key] { return transport }
        let transport = try engine.transport(
            trusting: authorities.map { URL(fileURLWithPath: $0) }
        )
        transports[key] = transport
        return transport
    }
}
