import NetKitSupport

/// Facts about the connection that carried an exchange.
///
/// A member is nil if the transport can't tell. `CurlTransport` knows them all, `AsyncHTTPClientTransport` the version of
/// HTTP, `URLSession` on Linux none.
public struct ConnectionFacts: Hashable, Sendable {
    /// Whether an earlier exchange used the connection.
    public let isReused: Bool?
    /// The version of HTTP: `1.0`, `1.1`, `2` or `3`.
    public let httpVersion: String?
    /// The numeric address and port of the peer, which is the proxy if there is one: `127.0.0.1:8443` or `[::1]:8443`.
    public let remoteAddress: String?
    /// The duration of name resolution, or nil for a reused connection.
    public let resolveDuration: Duration?
    /// The duration of connecting to the resolved address, or nil for a reused connection.
    public let connectDuration: Duration?
    /// The duration of the TLS handshake, or nil for a reused connection or one without TLS.
    public let tlsDuration: Duration?

    /// Creates facts.
    ///
    /// - Parameters:
    ///   - isReused: Whether an earlier exchange used the connection. Defaults to nil, unknown, like all others.
    ///   - httpVersion: The version of HTTP: `1.0`, `1.1`, `2` or `3`.
    ///   - remoteAddress: The numeric address and port of the peer.
    ///   - resolveDuration: The duration of name resolution.
    ///   - connectDuration: The duration of connecting to the resolved address.
    ///   - tlsDuration: The duration of the TLS handshake.
    public init(
        isReused: Bool? = nil,
        httpVersion: String? = nil,
        remoteAddress: String? = nil,
        resolveDuration: Duration? = nil,
        connectDuration: Duration? = nil,
        tlsDuration: Duration? = nil
    ) {
        (self.isReused, self.httpVersion) = (isReused, httpVersion)
        (self.remoteAddress, self.resolveDuration) = (remoteAddress, resolveDuration)
        (self.connectDuration, self.tlsDuration) = (connectDuration, tlsDuration)
    }
}

extension ConnectionFacts: Described {
    /// One lowercase line, such as `HTTP/2 over a new connection to 127.0.0.1:8443 (lookup 1 ms, connect 2 ms, TLS 9 ms)`.
    package var shown: String {
        let version = httpVersion.map { "HTTP/\($0)" } ?? "HTTP"
        let kind = isReused.map { $0 ? "a kept connection" : "a new connection" } ?? "a connection"
        let peer = remoteAddress.map { " to \($0)" } ?? ""
        let times = [
            ("lookup", resolveDuration), ("connect", connectDuration), ("TLS", tlsDuration),
        ]
        let known = times.compactMap { name, time in time.map { "\(name) \(DurationText($0))" } }
        return "\(version) over \(kind)\(peer)"
            + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }
}

/// What a server says of how long it keeps an idle connection (`Keep-Alive: timeout=5`).
@_spi(Transports) public enum KeepAliveField {
    /// Returns the first valid timeout of the fields, in whole seconds, at most 2²⁰.
    public static func timeout(in fields: some Sequence<String>) -> Int? {
        for field in fields {
            // By bytes, because a server can make characters whose comparison takes seconds.
            for parameter in field.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
                    .map { $0.filter { ![UInt8(ascii: " "), UInt8(ascii: "\t")].contains($0) } }
                guard parts.count == 2, parts[0].map({ $0 | 0x20 }).elementsEqual("timeout".utf8),
                    parts[1].allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
                    let seconds = Int(String(decoding: parts[1], as: UTF8.self))
                else { continue }
                return min(seconds, 1 << 20)
            }
        }
        return nil
    }
}
