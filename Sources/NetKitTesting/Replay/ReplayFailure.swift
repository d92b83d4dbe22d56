@_spi(Transports) public import NetKit

/// The reason why a ``ReplayTransport`` couldn't answer a request.
///
/// It is the underlying error of a ``TransportError`` of kind `.other`.
public struct ReplayFailure: DescribedCause, Hashable {
    /// The reasons for a failed replay.
    public enum Reason: Hashable, Sendable {
        /// The log has no unused entry for the request.
        ///
        /// The value lists up to three near ones.
        case notRecorded(nearest: [String])
        /// The next entry is for another request.
        case outOfOrder(String)
        /// The next entry is for this request, but with another body.
        case bodyMismatch
        /// All entries have been used.
        case logExhausted
        /// The response's body is missing from the log, incomplete or unreadable.
        case bodyNotRecorded
    }

    /// The request's method and URL, without the query's values.
    public let request: String
    /// The reason.
    public let reason: Reason

    /// A description in one line.
    public var description: String {
        switch reason {
        case .notRecorded(let nearest) where nearest.isEmpty:
            "\(request) is not in the log, or was used"
        case .notRecorded(let nearest):
            "\(request) is not in the log, or was used; nearest: \(nearest.joined(separator: ", "))"
        case .outOfOrder(let next): "\(request) was sent, and \(next) is next in the log"
        case .bodyMismatch: "\(request) was sent with another body than in the log"
        case .logExhausted: "\(request) was sent after the last entry of the log"
        case .bodyNotRecorded:
            "the body of the response to \(request) is not in the log, or not all of it"
        }
    }
}

@_spi(Transports) extension ReplayFailure: LastingCause {}

/// A recorded failure, as the underlying error of a replayed ``TransportError``.
struct RecordedFailure: DescribedCause {
    let description: String
}
