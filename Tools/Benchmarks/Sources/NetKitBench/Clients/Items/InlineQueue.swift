import Foundation

/// The queue on which the session calls its delegate.
///
/// On Linux it is a queue only by name: a block runs at once, on the work queue that the session calls
/// it from, which saves three changes of threads a request.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state of its own; the session's work queue is serial.
    #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
    #else
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }
    #endif
}
