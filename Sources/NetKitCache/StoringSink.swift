import Dispatch
import Foundation
import NetKit

/// Stores the response of a download or a stream while a reader receives it.
final class StoringSink: BodySink {
    private let reader: any BodySink
    private let storing: Storing
    /// The writer, or nil for a response that isn't stored or first goes to memory.
    private let writer = Locked<(any CacheWriter)?>(nil)

    /// Creates the sink of one response.
    ///
    /// - Parameters:
    ///   - reader: The destination of the body.
    ///   - storing: Decides whether to store the response, and receives its body.
    init(_ reader: any BodySink, _ storing: Storing) {
        self.reader = reader
        self.storing = storing
    }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        let writer = storing.decide(on: head)
        let content = try reader.begin(head)
        self.writer.withLock { $0 = content == nil ? nil : writer }
        return content
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        try reader.write(data, beyondLimit: beyondLimit)
        guard let writer = writer.withLock({ $0 }) else { return }
        // A transport without backpressure waits for the disk here.
        if !beyondLimit, writer.isFull {
            let room = DispatchSemaphore(value: 0)
            if writer.awaitRoom({ room.signal() }) { room.wait() }
        }
        storing.write(data, to: writer)
    }

    func end() throws {
        try reader.end()
    }

    func abandon() {
        reader.abandon()
    }

    var isFull: Bool {
        reader.isFull || writer.withLock { $0 }?.isFull == true
    }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        if reader.isFull { return reader.awaitRoom(handler) }
        return writer.withLock { $0 }?.awaitRoom(handler) ?? false
    }
}

/// Discards a body, so that it isn't collected in memory.
final class DiscardingSink: BodySink {
    func begin(_ head: ResponseHead) -> SinkContent? { SinkContent() }
    func write(_ data: Data, beyondLimit: Bool) {}
    func end() {}
    func abandon() {}
}
