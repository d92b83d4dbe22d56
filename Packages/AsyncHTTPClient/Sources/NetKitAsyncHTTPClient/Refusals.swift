internal import AsyncHTTPClient
internal import NIOCore

/// A pure value that decides how often a request that wasn't processed is sent again at once (RFC 9113, section 8.7).
///
/// A server that closes its connections after a few requests refuses all the others on them. They are sent again as long as
/// the server processes others in the meantime. A server that processes nothing at all gets a request three times, and the
/// retry policy decides about any other.
struct Refusals: Sendable {
    /// The maximum number of resends in a row without any request that the server processed.
    private static let maximumInVain = 2
    /// The maximum number of resends in all.
    private static let maximum = 100

    /// The number of resends.
    private(set) var count = 0
    private var inVain = 0
    /// The number of the server's answers at the last refusal.
    private var answers: Int?

    /// Counts a refusal.
    ///
    /// - Parameters:
    ///   - error: The error of the request.
    ///   - answers: The number of responses from the server so far, to any request.
    /// - Returns: Whether to send the request again.
    mutating func allowsAnother(after error: any Error, answers: Int) -> Bool {
        let hasProcessedOthers = (error as? UnprocessedRequest)?.hasProcessedOthers ?? false
        if hasProcessedOthers || self.answers.map({ $0 != answers }) ?? false { inVain = 0 }
        self.answers = answers
        guard count < Self.maximum, inVain < Self.maximumInVain else { return false }
        count += 1
        inVain += hasProcessedOthers ? 0 : 1
        return true
    }

    /// The error of a request that isn't sent again.
    ///
    /// - Parameters:
    ///   - error: The error of the last connection.
    ///   - isSent: Whether the head of the request was sent on it.
    /// - Returns: The same error, with the number of refusals if the server certainly didn't process the request.
    func error(after error: any Error, isSent: Bool) -> any Error {
        let isUnsent = !isSent && Self.isGivenUp(error)
        guard count > 0, isUnsent || error is UnprocessedRequest else { return error }
        return UnprocessedRequest(count: count + 1)
    }

    /// Whether an error is AsyncHTTPClient's for a request whose connection closes.
    ///
    /// - Parameter error: The error of the request.
    /// - Returns: Whether it is. If the head of the request wasn't sent, then nothing of it was.
    static func isGivenUp(_ error: any Error) -> Bool {
        // The second is of HTTP/1.1, on a connection whose end AsyncHTTPClient's pool doesn't know yet.
        error as? HTTPClientError == .cancelled || error as? ChannelError == .ioOnClosedChannel
    }
}
