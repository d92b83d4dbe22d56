import Foundation

#if canImport(FoundationNetworking)
/// The queue on which URLSession calls its delegate.
///
/// It runs each block at once on URLSession's own work queue, which saves three thread switches per request. The
/// delegate must therefore never block and never call back into URLSession there, which would deadlock.
/// ``SessionDelegate`` answers and cancels on its own lane.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state, and the work queue is serial.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#else
/// The serial queue on which URLSession calls its delegate.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state, and an operation queue is thread-safe.
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        qualityOfService = .userInitiated
    }
}
#endif
