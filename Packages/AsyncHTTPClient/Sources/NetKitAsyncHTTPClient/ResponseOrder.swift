internal import NetKit

/// A pure value that checks the order of response parts on a connection.
///
/// It follows RFC 9112, section 2.1, and RFC 9113, section 8.1. AsyncHTTPClient 1.37 crashes on parts that are out of
/// order. It treats a status code below 100 as informational, and it loses a response without a body during an
/// unfinished upload.
struct ResponseOrder: Sendable {
    /// A part of a response, as parsed.
    enum Part: Sendable {
        case head(status: UInt)
        case body(bytes: Int)
        case end
    }

    /// The action for a part.
    enum Verdict: Equatable, Sendable {
        /// Forwards the part.
        case forward
        /// Forwards an end that arrives before the request's end.
        ///
        /// Nothing follows on the connection.
        case forwardEarlyEnd
        case drop
        /// Withholds the end of a success until ``takesKeptEnd()`` or ``fail()``.
        case keep
        /// Fails and drops all further parts.
        case refuse(MalformedResponse)
    }

    private enum Phase: Equatable {
        case idle
        case waiting
        case receiving(status: UInt)
        /// A success is complete, but its request isn't.
        case early
        case failed
    }

    private var phase = Phase.idle
    private var isRequestWhole = false
    private var bodyBytes = 0

    /// Whether a request waits for its response's head.
    var isWaiting: Bool { phase == .waiting }

    /// Starts a request.
    mutating func beginRequest() {
        guard phase != .failed else { return }
        self = ResponseOrder()
        phase = .waiting
    }

    /// Ends a request.
    mutating func endRequest() {
        isRequestWhole = true
    }

    /// Returns whether to forward a withheld end now, because the request is complete.
    mutating func takesKeptEnd() -> Bool {
        guard phase == .early, isRequestWhole else { return false }
        phase = .idle
        return true
    }

    /// Records the failure of the connection or stream.
    ///
    /// - Returns: The response that was already complete, if any.
    mutating func fail() -> EarlyAnswer? {
        guard phase == .early else { return nil }
        phase = .failed
        return EarlyAnswer(bodyBytes: bodyBytes)
    }

    /// Receives the next part.
    ///
    /// - Parameter part: The part.
    /// - Returns: The action to take.
    mutating func receive(_ part: Part) -> Verdict {
        let verdict = decide(part)
        if case .refuse = verdict { phase = .failed }
        return verdict
    }

    private mutating func decide(_ part: Part) -> Verdict {
        switch (phase, part) {
        case (.failed, _):
            return .drop
        case (.idle, _), (.early, _):
            return .refuse(.unexpected)
        case (.waiting, .head(let status)):
            guard (100...999).contains(status) else { return .refuse(.status("\(status)")) }
            // After 101 comes another protocol, which wasn't requested, so this head is the last part.
            guard status >= 200 || status == 101 else { return .drop }
            phase = .receiving(status: status)
            return .forward
        case (.receiving, .body(let bytes)):
            bodyBytes += bytes
            return .forward
        case (.receiving(let status), .end):
            if isRequestWhole {
                phase = .idle
                return .forward
            }
            // AsyncHTTPClient continues the upload after a success and stops it otherwise.
            phase = status < 300 ? .early : .failed
            return status < 300 ? .keep : .forwardEarlyEnd
        case (.waiting, .body), (.waiting, .end), (.receiving, .head):
            return .refuse(.unexpected)
        }
    }
}

/// An error for a response that violates HTTP.
enum MalformedResponse: DescribedCause, Equatable {
    /// The status isn't a three-digit number from 100.
    case status(String)
    /// A part arrived out of order.
    case unexpected

    var description: String {
        switch self {
        case .status: "the response's status is not a number from 100 to 999"
        case .unexpected: "a part of a response arrived where none was expected"
        }
    }
}

/// A complete response on a connection that was lost before the request was complete.
///
/// It isn't a failure.
struct EarlyAnswer: Error, Equatable {
    /// The number of body bytes forwarded.
    let bodyBytes: Int
}
