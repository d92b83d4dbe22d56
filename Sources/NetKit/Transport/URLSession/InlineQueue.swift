import Foundation

#if canImport(FoundationNetworking)
/// The queue that URLSession is told to call its delegate on.
///
/// It is a queue only by name: a block runs at once, on the work queue that URLSession calls it from.
/// That saves three thread hops a request. What it demands of the delegate: never to block, and never
/// to call URLSession back from there, which would wait for itself; ``SessionDelegate`` answers and
/// cancels on a lane of its own.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state of its own; the work queue is serial.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#else
/// The queue on which URLSession calls its delegate, one block after the other.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state of its own, and an operation queue may be used from any thread.
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        qualityOfService = .userInitiated
    }
}
#endif
