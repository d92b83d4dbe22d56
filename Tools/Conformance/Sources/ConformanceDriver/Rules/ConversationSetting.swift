import Foundation
import NetKit
import NetKitCache
import NetKitCompression
import NetKitCookies
import NetKitAsyncHTTPClient
import NetKitCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings of an endpoint.
struct ConversationSetting: Decodable {
    struct Retries: Decodable {
        let maximum: Int
        /// Seconds.
        let maximumRetryAfter: Int?
    }

    /// The TLS settings as PEM text, but over URLSession, which has none.
    struct TLS: Decodable {
        let roots: String?
        let chain: String?
        let key: String?

        func settings() throws -> TLSSettings {
            var settings = TLSSettings()
            if let roots { settings.roots = .only(try Certificates(pem: Data(roots.utf8))) }
            if let chain, let key {
                settings.clientCertificate = try ClientCertificate(
                    chain: Data(chain.utf8),
                    key: Data(key.utf8)
                )
            }
            return settings
        }

        func curlSettings() -> CurlTransport.TLS {
            var settings = CurlTransport.TLS()
            if let roots { settings.roots = .only(Data(roots.utf8)) }
            if let chain, let key {
                settings.clientCertificate = CurlTransport.TLS.ClientCertificate(
                    chain: Data(chain.utf8),
                    key: Data(key.utf8)
                )
            }
            return settings
        }
    }

    let engine: Engine
    let base: URL
    let authentication: CredentialCommand?
    let cache: Bool?
    /// Whether request bodies are compressed with gzip.
    let compresses: Bool?
    let cookies: Bool?
    /// The maximum number of redirects; 0 to get the redirect itself.
    let redirects: Int?
    let retries: Retries?
    let tls: TLS?
    /// Seconds without a byte.
    let idle: Double?
    /// The maximum number of connections to the host, or nil for the engine's own.
    let connections: Int?

    /// Returns an endpoint with these settings.
    func endpoint() throws -> Endpoint {
        let endpoint = Endpoint(baseURL: base, transport: try transport())
        // The suites count requests.
        endpoint.retryPolicy = .never
        if let retries {
            endpoint.retryPolicy = RetryPolicy(
                maximumRetries: retries.maximum,
                backoff: .none,
                maximumRetryAfter: .seconds(retries.maximumRetryAfter ?? 60)
            )
            endpoint.retryPolicy.hasBudget = false
        }
        if let idle { endpoint.timeouts.idle = .seconds(idle) }
        endpoint.authentication = authentication?.authentication()
        if cache == true { endpoint.cache = .memory() }
        if compresses == true { endpoint.interceptors = [GzipCompression()] }
        if cookies == true { endpoint.cookies = CookieJar() }
        if let redirects {
            endpoint.redirectPolicy = redirects == 0 ? .doNotFollow : .follow(maximum: redirects)
        }
        return endpoint
    }

    private func transport() throws -> any Transport {
        switch engine {
        case .urlSession:
            let session = URLSessionConfiguration.default
            if let connections { session.httpMaximumConnectionsPerHost = connections }
            return URLSessionTransport(configuration: session)
        case .curl:
            var configuration = CurlTransport.Configuration()
            if let tls { configuration.tls = tls.curlSettings() }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let tls { configuration.tls = try tls.settings() }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }
}
