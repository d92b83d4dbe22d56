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

        init?(_ bytes: UnsafeRawBufferPointer) {
            // Few lines are more than a glance.
            guard let first = bytes.first, "RU[r".utf8.contains(first) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasPrefix("REFUSED_STREAM") {
                self = .refused
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

    /// The last stream that each ending connection processes, by its local and its remote port.
    private var lastStreams: [Int: Int] = [:]
    /// The connections that are known to have streams.
    private var streaming: Set<Int> = []

    /// Forgets the connection that had these ports before.
    func begin(on ports: Int) {
        lastStreams[ports] = nil
        streaming.remove(ports)
    }

    func noteStreams(on ports: Int) { streaming.insert(ports) }

    /// Notes the last stream that the server processes on a connection.
    func end(_ ports: Int, after stream: Int) {
        lastStreams[ports] = min(stream, lastStreams[ports] ?? stream)
    }

    /// Whether a request wasn't processed.
    ///
    /// - Parameters:
    ///   - stream: The stream of the request, 0 if it got none, which means that it wasn't sent.
    ///   - ports: The connection.
    /// - Returns: Whether the server said so.
    func contains(_ stream: Int, on ports: Int) -> Bool {
        guard stream > 0 else { return streaming.contains(ports) }
        return lastStreams[ports].map { stream > $0 } ?? false
    }
}
