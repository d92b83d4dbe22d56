internal import AsyncHTTPClient
internal import NIOCore

extension AsyncHTTPClientTransport {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The maximum number of HTTP/1.1 connections to one host.
        ///
        /// Defaults to 8. Further requests are queued. A host that has answered over HTTP/2 gets up to 100 concurrent
        /// requests on one connection. Streams and credential refreshes don't count, because the endpoint limits them.
        public var maximumConnectionsPerHost = 8
        /// The time that an idle connection stays open.
        ///
        /// Defaults to 60 seconds.
        public var idleConnectionLifetime: Duration = .seconds(60)
        /// The time limit for connecting, including TLS and the proxy.
        ///
        /// Defaults to 10 seconds. Calls to a host wait for a connection to it that is being opened, so a server that accepts
        /// connections and then says nothing delays them by as much, even if the call that began it has ended.
        public var connectTimeout: Duration = .seconds(10)
        /// Whether to use HTTP/2 with servers that support it, over https only.
        ///
        /// Defaults to `true`.
        public var usesHTTP2 = true
        /// The TLS settings.
        public var tls = TLSSettings()
        /// The proxy for all connections.
        ///
        /// Defaults to nil, for the proxy of the environment. See ``usesEnvironmentProxy``.
        public var proxy: Proxy?
        /// Whether the environment names the proxy where ``proxy`` is nil.
        ///
        /// True by default. The variables are those of curl, and of URLSession on Linux: `http_proxy` for http,
        /// `https_proxy` or `HTTPS_PROXY` for https, `all_proxy` or `ALL_PROXY` for both, and `no_proxy` or
        /// `NO_PROXY` for hosts without a proxy. `HTTP_PROXY` is ignored. The transport reads them once, when it is
        /// made. An HTTP proxy receives http requests in absolute form and makes a tunnel (CONNECT) for https.
        /// If the transport can't use the proxy, such as one of `socks4://`, its requests fail as `unsupported`.
        public var usesEnvironmentProxy = true

        /// Creates a default configuration.
        public init() {}

        /// The configuration of the client for a way to hosts.
        func client(for route: ProxyRoute = .direct) -> HTTPClient.Configuration {
            var proxy = proxy
            var isForwarded = false
            switch route {
            case .direct, .unusable: break
            case .tunnel(let tunnel): proxy = tunnel
            case .forwarded: isForwarded = true
            }
            var client = HTTPClient.Configuration(
                tlsConfiguration: tls.configuration,
                redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(connectTimeout)),
                connectionPool: HTTPClient.Configuration.ConnectionPool(
                    idleTimeout: TimeAmount(idleConnectionLifetime),
                    // The transport's own queue sets the limit, which streams and refreshes bypass.
                    concurrentHTTP1ConnectionsPerHostSoftLimit: 1 << 16
                ),
                proxy: proxy?.client,
                // The exchange decompresses as far as its receiver takes it.
                decompression: .disabled
            )
            // The endpoint decides about retries.
            client.connectionPool.retryConnectionEstablishment = false
            // The endpoint handles tracing too. Here it would add up to a tenth to the cost of sending.
            client.tracing.tracer = nil
            client.httpVersion = usesHTTP2 ? .automatic : .http1Only
            let setup = ConnectionSetup(
                pins: tls.pinnedPublicKeys,
                writesAbsoluteForm: isForwarded
            )
            client.http1_1ConnectionDebugInitializer = { setup.prepareHTTP1($0) }
            client.http2ConnectionDebugInitializer = { setup.prepareHTTP2($0) }
            client.http2StreamChannelDebugInitializer = { setup.prepareStream($0) }
            return client
        }
    }

    /// A proxy for connections.
    public enum Proxy: Hashable, Sendable {
        /// An HTTP proxy, which tunnels (CONNECT) to every host, for both http and https.
        case http(host: String, port: Int, authorization: Authorization? = nil)
        /// A SOCKS5 proxy without authentication.
        case socks(host: String, port: Int = 1080)

        /// A credential for a proxy.
        public enum Authorization: Hashable, Sendable {
            /// A user name and a password.
            case basic(username: String, password: String)
            /// A bearer token.
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

extension AsyncHTTPClientTransport.Proxy.Authorization: CustomStringConvertible, CustomReflectable {
    /// The scheme, without the credential.
    public var description: String {
        switch self {
        case .basic: "basic ‹redacted›"
        case .bearer: "bearer ‹redacted›"
        }
    }

    /// A mirror of the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TimeAmount {
    /// Converts a duration, clamped to the range from zero to what the clock supports.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = min(max(.zero, duration), .seconds(1 << 30)).components
        self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
