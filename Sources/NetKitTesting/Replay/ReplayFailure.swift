public import NetKit

/// A ``ReplayTransport`` has no answer to a request; it lies beneath a ``TransportError`` of the kind `.other`.
public struct ReplayFailure: DescribedCause, Hashable {
    /// Why there is no answer.
    public enum Reason: Hashable, Sendable {
        /// The log has no such request; the nearest ones that it has and that are left, at most three.
        case notRecorded(nearest: [String])
        /// It is another request's turn.
        case otherIsNext(String)
        /// It is this request's turn, but its body was another one.
        case otherBody
        /// Every entry has been used.
        case noneLeft
        /// The body of the response was left out of the log, is there in part, or cannot be read.
        case bodyLeftOut
    }

    /// Method and URL of the request, without the query's values.
    public let request: String
    /// Why there is no answer.
    public let reason: Reason

    /// One line.
    public var description: String {
        switch reason {
        case .notRecorded(let nearest) where nearest.isEmpty:
            "\(request) is not in the log, or was used"
        case .notRecorded(let nearest):
            "\(request) is not in the log, or was used; nearest: \(nearest.joined(separator: ", "))"
        case .otherIsNext(let next): "\(request) was sent, and \(next) is next in the log"
        case .otherBody: "\(request) was sent with another body than in the log"
        case .noneLeft: "\(request) was sent after the last entry of the log"
        case .bodyLeftOut:
            "the body of the response to \(request) is not in the log, or not all of it"
        }
    }
}

/// A failure as it was recorded, beneath the ``TransportError`` of a replay that knows nothing nearer of it.
struct RecordedFailure: DescribedCause {
    let description: String
}
