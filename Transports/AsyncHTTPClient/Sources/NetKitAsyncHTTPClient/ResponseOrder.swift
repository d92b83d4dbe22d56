internal import NetKit

/// Which part of a response may come next on a connection (RFC 9112, section 2.1; RFC 9113, section 8.1).
///
/// AsyncHTTPClient 1.37 ends the process where a part comes out of order, takes a status below 100 for an
/// informational one, and loses an answer without a body to an upload that has not ended. A pure value.
struct ResponseOrder: Sendable {
    /// A part of a response as the parser gives it.
    enum Part: Sendable {
        case head(status: UInt)
        case body(bytes: Int)
        case end
    }

    /// What to do with a part.
    enum Verdict: Equatable, Sendable {
        /// Hand it on.
        case forward
        /// Hand on an end that comes before the request's; nothing follows on this connection or stream.
        case forwardEarlyEnd
        case drop
        /// Keep the end of a success until ``takesKeptEnd()`` or ``fail()``.
        case keep
        /// Fail, and drop everything that follows.
        case refuse(MalformedResponse)
    }

    private enum Phase: Equatable {
        case idle
        case waiting
        case receiving(status: UInt)
        /// A success is whole, and its request is not.
        case early
        case failed
    }

    private var phase = Phase.idle
    private var isRequestWhole = false
    private var bodyBytes = 0

    /// Whether a request waits for the head of its response.
    var isWaiting: Bool { phase == .waiting }

    /// A request begins.
    mutating func beginRequest() {
        guard phase != .failed else { return }
        self = ResponseOrder()
        phase = .waiting
    }

    /// The request is whole.
    mutating func endRequest() {
        isRequestWhole = true
    }

    /// Whether the end of a response was kept, and is to be handed on now that the request is whole.
    mutating func takesKeptEnd() -> Bool {
        guard phase == .early, isRequestWhole else { return false }
        phase = .idle
        return true
    }

    /// The connection or stream has failed.
    ///
    /// - Returns: The answer that was whole before, if one was.
    mutating func fail() -> EarlyAnswer? {
        guard phase == .early else { return nil }
        phase = .failed
        return EarlyAnswer(bodyBytes: bodyBytes)
    }

    /// Takes the next part.
    ///
    /// - Parameter part: The part.
    /// - Returns: What to do with it.
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
            // What follows 101 is another protocol, which was not asked for: its head is the last one.
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
            // AsyncHTTPClient goes on with the upload after a success, and gives it up after anything else.
            phase = status < 300 ? .early : .failed
            return status < 300 ? .keep : .forwardEarlyEnd
        case (.waiting, .body), (.waiting, .end), (.receiving, .head):
            return .refuse(.unexpected)
        }
    }
}

/// A response that no rule of HTTP allows.
enum MalformedResponse: DescribedCause, Equatable {
    /// The status is not one of three digits, from 100.
    case status(String)
    /// A part of a response came where none was expected.
    case unexpected

    var description: String {
        switch self {
        case .status: "the response's status is not a number from 100 to 999"
        case .unexpected: "a part of a response arrived where none was expected"
        }
    }
}

/// The response is whole, and the connection was lost before the request was: not a failure.
struct EarlyAnswer: Error, Equatable {
    /// How many bytes of the body were handed on.
    let bodyBytes: Int
}
