/// The wait of a call for the first handler of its outcome, or for the release of its operation; a pure value.
struct ListenerWait: Sendable {
    private var wake: (@Sendable () -> Void)?
    private var isReleased = false

    /// Waits.
    ///
    /// - Parameter wake: Called once the wait is over.
    /// - Returns: False if the operation is released already, so that there is nothing to wait for.
    mutating func wait(_ wake: @escaping @Sendable () -> Void) -> Bool {
        guard !isReleased else { return false }
        self.wake = wake
        return true
    }

    /// Ends the wait.
    ///
    /// - Returns: What to call, once.
    mutating func end() -> (@Sendable () -> Void)? {
        defer { wake = nil }
        return wake
    }

    /// The operation is released, so that no handler can come any more: ends the wait.
    ///
    /// - Returns: What to call, once.
    mutating func release() -> (@Sendable () -> Void)? {
        isReleased = true
        return end()
    }
}
