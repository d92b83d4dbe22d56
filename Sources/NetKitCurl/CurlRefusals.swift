internal import Foundation

/// The requests that servers of HTTP/2 say they didn't process (RFC 9113, sections 6.8 and 8.7).
///
/// A request like that is safe to send again, whatever its method. libcurl tells of it only in its log. A line that isn't
/// understood only means that the request isn't sent again.
final class CurlRefusals {
    /// What a line of the log says.
    enum Line: Equatable {
        /// The request was refused.
        case refused
        /// The request has this stream.
        case stream(Int)
        /// The connection ends, and streams after this one weren't processed.
        case goAway(last: Int)
        /// The server requires HTTP/1.1, and libcurl is about to send the request again.
        case downgrade
        /// The transfer has left its connection, which others may use now.
        case left

        init?(_ bytes: UnsafeRawBufferPointer) {
            // Few lines are more than a glance.
            guard let first = bytes.first, "CDRU[r".utf8.contains(first) else { return nil }
            if first == UInt8(ascii: "C") {
                guard CurlLibrary.shared.joinsBusyConnections,
                    bytes.starts(with: "Connection #".utf8)
                else { return nil }
                self = .left
                return
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasPrefix("REFUSED_STREAM") {
                self = .refused
            } else if text.hasPrefix("Downgrades to HTTP/1.1") {
                self = .downgrade
            } else if let number = Self.number(after: "Using Stream ID: ", in: text) {
                self = .stream(number)
            } else if text.contains("] OPENED stream"),
                let number = Self.number(after: "[HTTP/2] [", in: text)
            {
                // From libcurl 8 on.
                self = .stream(number)
            } else if text.contains(" GOAWAY, "),
                let number = Self.number(after: "last_stream=", in: text)
            {
                self = .goAway(last: number)
            } else {
                return nil
            }
        }

        private static func number(after mark: String, in text: String) -> Int? {
            guard let range = text.range(of: mark) else { return nil }
            return Int(text[range.upperBound...].prefix { ("0"..."9").contains($0) })
        }
    }

    /// The addresses and ports of both ends.
    struct Connection: Hashable {
        private let ends: String

        /// Returns nil without a port: the ends of all connections to a unix socket are the same.
        init?(
            _ local: UnsafePointer<CChar>?,
            _ localPort: Int32,
            _ remote: UnsafePointer<CChar>?,
            _ remotePort: Int32
        ) {
            guard localPort > 0 else { return nil }
            let addresses = [local, remote].map { $0.map { String(cString: $0) } ?? "" }
            ends = "\(addresses[0]) \(localPort) \(addresses[1]) \(remotePort)"
        }
    }

    /// The stream by which a server announces its end, before it tells which streams it processed.
    private static let largestStream = 0x7FFF_FFFF
    /// How many connections are remembered.
    ///
    /// Those beyond only mean that a request isn't sent again, or has a connection of its own.
    private static let maximumConnections = 1_000
    /// The last stream that each connection processes, `Int.max` until it ends.
    ///
    /// A connection without streams isn't there.
    private var lastStreams: [Connection: Int] = [:]

    /// The handle whose request waits on each connection, the last one.
    private var senders: [Connection: Sender] = [:]

    private struct Sender {
        weak var handle: CurlHandle?
    }

    /// Notes that a handle sends a request on a connection, which it then uses alone unless it is one of HTTP/2.
    func note(sender: CurlHandle, on connection: Connection) {
        guard CurlLibrary.shared.joinsBusyConnections else { return }
        senders[connection] = Sender(handle: sender)
    }

    /// Notes that the request of a handle on a connection has ended.
    func forget(sender: CurlHandle, on connection: Connection) {
        if senders[connection]?.handle === sender { senders[connection] = nil }
    }

    /// Whether another request of HTTP/1.1 waits for its response on a connection.
    func isBusy(_ connection: Connection) -> Bool {
        lastStreams[connection] == nil && senders[connection]?.handle?.uses(connection) ?? false
    }

    /// Forgets the connection that had these ends before.
    func begin(_ connection: Connection) { lastStreams[connection] = nil }

    func noteStream(on connection: Connection) {
        guard lastStreams[connection] == nil else { return }
        if lastStreams.count >= Self.maximumConnections { lastStreams = [:] }
        lastStreams[connection] = .max
    }

    /// Notes the last stream that the server processes on a connection.
    func end(_ connection: Connection, after stream: Int) {
        if let last = lastStreams[connection] { lastStreams[connection] = min(stream, last) }
    }

    /// Whether the server ended a connection after it had processed a request on it.
    func hasProcessedOthers(on connection: Connection) -> Bool {
        lastStreams[connection].map { (1..<Self.largestStream).contains($0) } ?? false
    }

    /// Whether the server said that it didn't process a request.
    ///
    /// - Parameters:
    ///   - stream: The stream of the request, 0 if it got none, which means that it wasn't sent.
    ///   - connection: The connection.
    /// - Returns: Whether it did.
    func contain(_ stream: Int, on connection: Connection) -> Bool {
        guard let last = lastStreams[connection] else { return false }
        return stream == 0 || stream > last
    }
}
