import Foundation

#if canImport(FoundationNetworking)
/// The queue on which URLSession calls its delegate, one block after the other.
///
/// An `OperationQueue` only by name: each block goes to a serial dispatch queue, which costs a sixth
/// of an operation. It has to stay asynchronous: run inline, a block would hold up the work queue
/// that all sessions share.
final class SerialLane: OperationQueue, @unchecked Sendable {
    // Proof: the one stored property is a constant, and a dispatch queue may be used from any thread.
    private let lane = DispatchQueue(label: "NetKit.session", qos: .userInitiated)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        lane.async(execute: block)
    }
}
#else
/// The queue on which URLSession calls its delegate, one block after the other.
final class SerialLane: OperationQueue, @unchecked Sendable {
    // Proof: it has no state of its own, and an operation queue may be used from any thread.
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        qualityOfService = .userInitiated
    }
}
#endif
