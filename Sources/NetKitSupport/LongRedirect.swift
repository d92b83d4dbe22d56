/// A redirect with a long body that URLSession may be holding back.
///
/// URLSession reports a redirect only when its body is complete. Until then, it collects the body on the queue that all
/// sessions share, and copies all of it for each piece, without limit.
package struct LongRedirect {
    /// The maximum length of the body, in bytes, if the length is known.
    private static let maximumLength: Int64 = 64 << 10
    /// The maximum time for the body to arrive, in seconds.
    private static let maximumSeconds = 8

    /// Whether the request was sent.
    ///
    /// Until then, the end of the response must wait.
    package var isSent: Bool
    /// Whether an informational head has arrived.
    ///
    /// From then on, every task looks as it does during a redirect.
    package var hasInterim = false
    /// The number of looks that indicated a redirect.
    private var seconds = 0

    package init(isSent: Bool) { self.isSent = isSent }

    /// Looks at the task, once per second.
    ///
    /// A short redirect looks the same until URLSession reports it, which can take seconds on a busy machine.
    ///
    /// - Parameter length: The task's expected length, which shows that the head has arrived: it is 0 before, and
    ///   negative for an unknown or empty length.
    /// - Returns: Whether the redirect has lasted too long.
    package mutating func isOverdue(expecting length: Int64) -> Bool {
        guard isSent, !hasInterim, length < 0 || length > Self.maximumLength else { return false }
        seconds += 1
        return seconds > Self.maximumSeconds
    }
}
