import NIOCore
import Synchronization

/// Holds answers back while it is closed.
final class Gate: Sendable {
    /// The answers that wait; nil while it is open.
    private let waiting = Mutex<[EventLoopPromise<Void>]?>(nil)

    /// Closes the gate.
    ///
    /// - Returns: How many answers were waiting already.
    func close() -> Int {
        waiting.withLock { waiting in
            if waiting == nil { waiting = [] }
            return waiting?.count ?? 0
        }
    }

    /// Lets all answers through, those that wait first.
    ///
    /// - Returns: How many waited.
    func open() -> Int {
        let waited = waiting.withLock { $0.take() } ?? []
        for promise in waited { promise.succeed() }
        return waited.count
    }

    /// What an answer waits for; nil if the gate is open.
    func turn(on loop: any EventLoop) -> EventLoopFuture<Void>? {
        waiting.withLock { waiting in
            guard waiting != nil else { return nil }
            let promise = loop.makePromise(of: Void.self)
            waiting?.append(promise)
            return promise.futureResult
        }
    }
}
