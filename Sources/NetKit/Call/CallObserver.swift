/// Follows a call while it runs: the handlers of an operation.
protocol CallObserver: AnyObject, Sendable {
    /// The call is about to be sent. It waits until this returns.
    func callWillStart(_ control: CallControl) async
    /// Whether a handler counts bytes.
    var isWatchingTransfers: Bool { get }
    /// Bytes went either way.
    func callDidTransfer(_ count: TransferCount)
    /// An attempt is over, or the request was refused.
    func callDidAttempt(_ info: DebugInfo)
}
