internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression

extension AsyncHTTPClientTransport {
    /// What a transport is made with.
    public struct Configuration: Sendable {
        /// The maximum number of connections of HTTP/1.1 to one host; more requests wait.
        ///
        /// 8 by default. A host that has answered in HTTP/2 gets up to 100 requests at a time, on one
        /// connection. Streams and refreshes have connections besides: the endpoint limits them.
        public var maximumConnectionsPerHost = 8
        /// How long a connection is kept that nobody uses.
        ///
        /// One minute by default.
        public var idleConnectionLifetime: Duration = .seconds(60)
        /// How long a connection may take until it is there, TLS and proxy included.
        ///
        /// Five minutes by default, so that the endpoint's idle timeout, which covers it, is the
        /// one that counts.
        public var connectTimeout: Duration = .seconds(300)
        /// Whether a server that speaks HTTP/2 is spoken to in it; over https alone.
        ///
        /// True by default.
        public var usesHTTP2 = true
        /// Whom connections trust, and how they prove who they are themselves.
        public var tls = TLSSettings()
        /// What all connections go through; nil, the default, for nothing.
        ///
        /// The environment's proxy settings are not used.
        public var proxy: Proxy?

        /// Makes the default configuration.
        public init() {}

        var client: HTTPClient.Configuration {
            var client = HTTPClient.Configuration(
                tlsConfiguration: tls.configuration,
                redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(connectTimeout)),
                connectionPool: HTTPClient.Configuration.ConnectionPool(
                    idleTimeout: TimeAmount(idleConnectionLifetime),
                    // The transport's own queue is the limit, which streams and refreshes pass by.
                    concurrentHTTP1ConnectionsPerHostSoftLimit: 1 << 16
                ),
                proxy: proxy?.client,
                // The endpoint counts the bytes that come out, and ends the transfer.
                decompression: .enabled(limit: .none)
            )
            // Whether to try again is the endpoint's decision.
            client.connectionPool.retryConnectionEstablishment = false
            // Traces are the endpoint's business as well, and each costs as much as a tenth of the sending.
            client.tracing.tracer = nil
            client.httpVersion = usesHTTP2 ? .automatic : .http1Only
            let setup = ConnectionSetup(pins: tls.pinnedPublicKeys)
            client.http1_1ConnectionDebugInitializer = { setup.prepareHTTP1($0) }
            client.http2ConnectionDebugInitializer = { setup.prepareHTTP2($0) }
            client.http2StreamChannelDebugInitializer = { setup.prepareStream($0) }
            return client
        }
    }

    /// What connections go through on their way.
    public enum Proxy: Hashable, Sendable {
        /// An HTTP proxy, which is asked for a tunnel (CONNECT) to every host, http or https.
        case http(host: String, port: Int, authorization: Authorization? = nil)
        /// A SOCKS5 proxy without authentication.
        case socks(host: String, port: Int = 1080)

        /// How a proxy is told who asks.
        public enum Authorization: Hashable, Sendable {
            /// A name and a password.
            case basic(username: String, password: String)
            /// A token.
            case bearer(String)
        }

        fileprivate var client: HTTPClient.Configuration.Proxy {
            switch self {
            case .http(let host, let port, nil): .server(host: host, port: port)
            case .http(let host, let port, .basic(let username, let password)?):
                .server(
                    host: host,
                    port: port,
                    authorization: .basic(username: username, password: password)
                )
            case .http(let host, let port, .bearer(let token)?):
                .server(host: host, port: port, authorization: .bearer(tokens: token))
            case .socks(let host, let port): .socksServer(host: host, port: port)
            }
        }
    }
}

extension TimeAmount {
    /// A duration between zero and what a clock can count.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let clamped = min(max(0, seconds), 1 << 30)
        self = .seconds(clamped) + .nanoseconds(max(0, attoseconds) / 1_000_000_000)
    }
}
