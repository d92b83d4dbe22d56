/// Observes a running call, for the handlers of an operation.
protocol CallObserver: AnyObject, Sendable {
    /// Notifies the observer before the call is sent.
    ///
    /// The call waits for this method to return.
    func callWillStart(_ control: CallControl) async
    /// Whether a handler needs byte counts.
    var isWatchingTransfers: Bool { get }
    /// Whether a handler may need the attempts.
    var isWatchingAttempts: Bool { get }
    /// Notifies the observer of bytes sent or received.
    func callDidTransfer(_ count: TransferCount)
    /// Notifies the observer of an attempt that ended or a request that was refused.
    func callDidAttempt(_ info: DebugInfo)
}
