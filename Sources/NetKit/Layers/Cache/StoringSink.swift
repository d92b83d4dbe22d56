import Dispatch
import Foundation

/// Stores the response of a download or a stream while it arrives, beside the one who reads it.
final class StoringSink: BodySink {
    private let reader: any BodySink
    private let storing: Storing
    /// Takes what the reader takes; nil for a response that is not stored, or goes to memory first.
    private let writer = Locked<(any CacheWriter)?>(nil)

    /// Creates the sink of one response.
    ///
    /// - Parameters:
    ///   - reader: Where the body goes.
    ///   - storing: Decides on the head, and takes what is stored.
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
        // A transport that can't hold the server back waits for the disk here.
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

/// Drops a body, so that it is not gathered in memory.
final class DiscardingSink: BodySink {
    func begin(_ head: ResponseHead) -> SinkContent? { SinkContent() }
    func write(_ data: Data, beyondLimit: Bool) {}
    func end() {}
    func abandon() {}
}
