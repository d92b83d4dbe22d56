internal import NetKit

/// A pure value that checks the order of response parts on a connection.
///
/// It follows RFC 9112, section 2.1, and RFC 9113, section 8.1. AsyncHTTPClient 1.37 crashes on parts that are out of
/// order. It treats a status code below 100 as informational, and it loses a response without a body during an
/// unfinished upload.
struct ResponseOrder: Sendable {
    /// A part of a response, as parsed.
    enum Part: Sendable {
        /// A head, with the transfer coding that can't be decoded, if any.
        case head(status: UInt, coding: String? = nil)
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
    /// Whether the request is a HEAD, whose response has no body.
    private var isHead = false
    private var bodyBytes = 0

    /// Whether a request waits for its response's head.
    var isWaiting: Bool { phase == .waiting }

    /// Starts a request.
    ///
    /// - Parameter isHead: Whether its method is HEAD. Defaults to `false`.
    mutating func beginRequest(isHead: Bool = false) {
        guard phase != .failed else { return }
        self = ResponseOrder()
        self.isHead = isHead
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
        case (.waiting, .head(let status, let coding)):
            guard (100...999).contains(status) else { return .refuse(.status("\(status)")) }
            // After 101 comes another protocol, which wasn't requested, so this head is the last part.
            guard status >= 200 || status == 101 else { return .drop }
            // A response without a body may name any coding (RFC 9112, section 6.1).
            let hasBody = !isHead && ![101, 204, 304].contains(status)
            if let coding, hasBody { return .refuse(.transferCoding(coding)) }
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
    /// The body has a transfer coding other than `chunked` alone.
    case transferCoding(String)
    /// A part arrived out of order.
    case unexpected

    var description: String {
        switch self {
        case .status: "the response's status is not a number from 100 to 999"
        case .transferCoding(let coding):
            "the response's transfer coding is \"\(Self.shown(coding))\", not \"chunked\""
        case .unexpected: "a part of a response arrived where none was expected"
        }
    }

    /// The beginning of a header field's value, with a `?` for each character that isn't printable ASCII.
    private static func shown(_ text: String) -> String {
        String(text.prefix(60).map { $0.isASCII && $0 >= " " && $0 != "\u{7F}" ? $0 : "?" })
    }
}

/// A complete response on a connection that was lost before the request was complete.
///
/// It isn't a failure.
struct EarlyAnswer: Error, Equatable {
    /// The number of body bytes forwarded.
    let bodyBytes: Int
}
