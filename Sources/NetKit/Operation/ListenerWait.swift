/// A pure value that tracks a call's wait for its first outcome handler.
///
/// The release of the operation also ends the wait.
struct ListenerWait: Sendable {
    private var wake: (@Sendable () -> Void)?
    private var isReleased = false

    /// Starts the wait.
    ///
    /// - Parameter wake: A closure to call when the wait is over.
    /// - Returns: `false` if the operation is already released, in which case there is no wait.
    mutating func wait(_ wake: @escaping @Sendable () -> Void) -> Bool {
        guard !isReleased else { return false }
        self.wake = wake
        return true
    }

    /// Ends the wait.
    ///
    /// - Returns: The closure to call, once.
    mutating func end() -> (@Sendable () -> Void)? {
        defer { wake = nil }
        return wake
    }

    /// Ends the wait because the operation was released and can't get any more handlers.
    ///
    /// - Returns: The closure to call, once.
    mutating func release() -> (@Sendable () -> Void)? {
        isReleased = true
        return end()
    }
}
