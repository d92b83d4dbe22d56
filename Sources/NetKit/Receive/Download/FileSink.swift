import Dispatch
import Foundation

/// Writes a successful response's body to a ``PartialFile``; for one response.
///
/// It decides under its lock and leaves the file to the file's ``FileQueue``: nothing but the queue waits for a disk.
final class FileSink: BodySink {
    private enum Phase {
        case new
        case writing
        /// Everything has come, and the part is still open.
        case whole
        case over
    }

    private struct State {
        var phase = Phase.new
        /// How many bytes the part will have once all that came is written.
        var count: Int64 = 0
        /// What is to be written at once with what comes next.
        var waiting = Data()
        /// How many bytes the queue has yet to write.
        var unwritten = 0
        var trims = TrimCounter(every: 128 << 20)
        /// The length that the file will have, nil if the server does not say.
        var total: Int64?
        var mustStartOver = false
        /// What kept the file from being written.
        var failure: (any Error)?
        /// Told when there is room again, or nobody writes any more.
        var onRoom: [@Sendable () -> Void] = []

        mutating func takeWaiting() -> Data {
            defer { waiting = Data() }
            unwritten += waiting.count
            return waiting
        }

        mutating func takeOnRoom() -> [@Sendable () -> Void] {
            defer { onRoom = [] }
            return onRoom
        }
    }

    /// How many bytes are written at once: a write costs the file system more than its bytes do, and
    /// URLSession gives 16 KiB at a time.
    private static let portion = 256 << 10
    /// How many bytes may wait for the disk; half of it has the server held back where that can be done.
    private static let limit = 8 << 20

    /// The server sent another range, or of another version, than the one asked for.
    private struct Unfitting: Error {}

    private let file: PartialFile
    private let rest: DownloadPlan.Rest?
    private let queue: FileQueue
    private let state = Locked(State())
    /// The open part; for the queue alone.
    private let part = Locked<(any WritablePart)?>(nil)

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - file: Where the bytes go.
    ///   - rest: What was asked for, where it is not the whole.
    ///   - queue: The file's queue.
    init(_ file: PartialFile, _ rest: DownloadPlan.Rest?, on queue: FileQueue) {
        self.file = file
        self.rest = rest
        self.queue = queue
    }

    /// Whether the response did not fit the part, which is good for nothing then; certain once it is settled.
    var mustStartOver: Bool { state.withLock { $0.mustStartOver } }

    /// What kept the file from being written; certain once it is settled.
    private var failure: (any Error)? {
        state.withLock { $0.failure is Unfitting ? nil : $0.failure }
    }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        let content = try state.withLock { state -> SinkContent? in
            // An attempt that was given up may still hear of its head.
            guard case .new = state.phase else { return nil }
            if head.status == 206, let rest {
                guard let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
                    range.first == rest.offset, !rest.version.contradicts(head),
                    head.headers[.contentEncoding] == nil
                else {
                    state.mustStartOver = true
                    throw Unfitting()
                }
                (state.count, state.total) = (rest.offset, range.total)
            } else {
                state.total = head.bodyLength
            }
            state.phase = .writing
            return SinkContent(earlier: state.count, total: state.total)
        }
        if let content { queue.add { self.open(head, at: content.earlier) } }
        return content
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        let (portion, mustWait) = try state.withLock { state -> (Data?, Bool) in
            guard case .writing = state.phase else { return (nil, false) }
            if let failure = state.failure { throw failure }
            state.count += Int64(data.count)
            state.waiting.append(data)
            guard state.waiting.count >= Self.portion else { return (nil, false) }
            let portion = state.takeWaiting()
            return (portion, !beyondLimit && state.unwritten > Self.limit)
        }
        guard let portion else { return }
        queue.add { self.put(portion) }
        guard mustWait else { return }
        // A transport that cannot hold the server back waits for the disk here, until the call ends at the latest.
        let room = DispatchSemaphore(value: 0)
        if awaitRoom({ room.signal() }) { room.wait() }
    }

    func end() throws {
        let portion = try state.withLock { state -> Data? in
            guard case .writing = state.phase else { return nil }
            if let failure = state.failure { throw failure }
            if let total = state.total, state.count != total {
                throw TransportError(.truncatedResponse)
            }
            state.phase = .whole
            return state.takeWaiting()
        }
        if let portion { queue.add { self.put(portion) } }
    }

    func abandon() {
        let (portion, handlers) = state.withLock { state -> (Data?, [@Sendable () -> Void]) in
            switch state.phase {
            case .whole, .over: return (nil, [])
            case .new:
                state.phase = .over
                return (nil, [])
            case .writing:
                state.phase = .over
                return (state.takeWaiting(), state.takeOnRoom())
            }
        }
        // What has come is kept; a disk that is full keeps less.
        if let portion {
            queue.add {
                self.put(portion)
                self.close()
            }
        }
        for handler in handlers { handler() }
    }

    var isFull: Bool {
        state.withLock { $0.unwritten > Self.limit / 2 && $0.phase == .writing }
    }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.unwritten > Self.limit / 4, state.phase == .writing, state.failure == nil
            else { return false }
            state.onRoom.append(handler)
            return true
        }
    }

    // MARK: On the file's queue

    private func open(_ head: ResponseHead, at offset: Int64) {
        do throws(DownloadFailure) {
            let part = try file.open(file.part.path, true)
            if offset > 0 {
                guard part.length == offset else {
                    return state.withLock { ($0.mustStartOver, $0.failure) = (true, Unfitting()) }
                }
                try part.seekToEnd()
            } else {
                try part.truncate()
                try file.noteVersion(of: head)
            }
            self.part.withLock { $0 = part }
        } catch {
            let failure = error
            state.withLock { $0.failure = failure }
        }
    }

    private func put(_ portion: Data) {
        var failure: DownloadFailure?
        if let part = part.withLock({ $0 }), state.withLock({ $0.failure == nil }) {
            do throws(DownloadFailure) { try part.write(portion) } catch { failure = error }
        }
        let (handlers, isTrimming) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
            state.unwritten -= portion.count
            if let failure { state.failure = failure }
            let isTrimming = state.trims.add(portion.count)
            guard state.failure != nil || state.unwritten <= Self.limit / 4 else {
                return ([], isTrimming)
            }
            return (state.takeOnRoom(), isTrimming)
        }
        for handler in handlers { handler() }
        if isTrimming { FreeMemory.giveBack() }
    }

    /// Closes the part, and lets its lock go with it.
    private func close() {
        let closed = part.withLock { part in
            defer { part = nil }
            return part
        }
        withExtendedLifetime(closed) {}
    }
}

// MARK: - When the response is over

extension FileSink {
    /// Waits until all that came is written.
    ///
    /// - Throws: What kept the file from being written.
    @inline(never)
    func settle() async throws {
        try await queue.run { if let failure = self.failure { throw failure } }
    }

    /// Tells when all that came is written.
    func whenSettled(_ handler: @escaping @Sendable () -> Void) {
        queue.add(handler)
    }

    /// Checks what was received and puts it in its place; does nothing where the body was not taken.
    ///
    /// Cancelling the task leaves the part where it is.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - digest: What to check; nil for nothing.
    /// - Throws: ``DownloadFailure`` if it is not what it has to be, or cannot be put there.
    func complete(_ head: ResponseHead, checking digest: ContentDigest?) async throws {
        let isWhole = state.withLock { state in
            guard case .whole = state.phase else { return false }
            state.phase = .over
            return true
        }
        guard isWhole else { return }
        defer { queue.add { self.close() } }
        try await settle()
        if let digest {
            try await queue.run { [file] in
                do throws(DownloadFailure) {
                    try digest.check(file.part, named: file.destination.path, against: head)
                } catch {
                    file.remove()
                    throw error
                }
            }
        }
        try Task.checkCancellation()
        try await queue.run { [file] in try file.complete() }
    }
}
