import Dispatch
import Foundation
import NetKitSupport

/// Writes the body of one successful response to a ``PartialFile``.
///
/// It makes decisions under its lock and leaves file access to the ``FileQueue``, so that only the queue waits for the
/// disk.
final class FileSink: BodySink {
    private enum Phase {
        case new
        case writing
        /// All bytes have arrived, and the partial file is still open.
        case whole
        /// The body ended early, or a later one replaces it.
        case cut
        case over
    }

    private struct State: ~Copyable {
        var phase = Phase.new
        /// The size of the partial file once all received bytes are written.
        var count: Int64 = 0
        /// Bytes held back to be written together with the next ones.
        var waiting = Data()
        /// The number of bytes that the queue has yet to write.
        var unwritten = 0
        /// The final length of the file, or nil if the server doesn't state it.
        var total: Int64?
        var mustStartOver = false
        /// The error that stopped the writing.
        var failure: (any Error)?
        /// Handlers to call when there is room again or writing has ended.
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

    /// The number of bytes per write.
    ///
    /// URLSession delivers 16 KiB at a time, and each write has a fixed cost.
    private static let portion = 256 << 10
    /// The maximum number of bytes that wait for the disk.
    ///
    /// Half of it makes the sink report itself full.
    private static let limit = 8 << 20

    /// The server sent a range or a version other than the requested one.
    private struct Unfitting: Error {}

    private let file: PartialFile
    private let rest: DownloadPlan.Rest?
    private let queue: FileQueue
    private let earlier: FileSink?
    private let onRestart: @Sendable (DownloadRestart) -> Void
    private let state = Locked(State())
    /// The open partial file.
    ///
    /// Only the queue uses it.
    private let part = Locked<(any WritablePart)?>(nil)

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - file: The file to write.
    ///   - rest: The requested range, or nil for the whole file.
    ///   - queue: The file's queue.
    ///   - earlier: The sink with a whole body that this one's replaces, if any. Defaults to nil.
    ///   - onRestart: Called with the reason if the part isn't resumed.
    init(
        _ file: PartialFile,
        _ rest: DownloadPlan.Rest?,
        on queue: FileQueue,
        replacing earlier: FileSink? = nil,
        onRestart: @escaping @Sendable (DownloadRestart) -> Void = { _ in }
    ) {
        (self.file, self.rest, self.queue, self.earlier) = (file, rest, queue, earlier)
        self.onRestart = onRestart
    }

    /// Whether the response didn't match the partial file, which must be discarded.
    ///
    /// Final once settled.
    var mustStartOver: Bool { state.withLock { $0.mustStartOver } }

    /// Whether a whole body has arrived, and waits for ``complete(_:checking:)``.
    var isWhole: Bool { state.withLock { $0.phase == .whole } }

    /// Whether its body was cut off, or given up for a later one.
    var isCut: Bool { state.withLock { $0.phase == .cut } }

    /// The error that stopped the writing.
    ///
    /// Final once settled.
    private var failure: (any Error)? {
        state.withLock { $0.failure is Unfitting ? nil : $0.failure }
    }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        let restart = rest.flatMap { DownloadRestart(head, insteadOf: $0) }
        let isUnfitting = restart != nil && head.status == 206
        let content = state.withLock { state -> SinkContent? in
            // An abandoned attempt may still deliver its head.
            guard case .new = state.phase else { return nil }
            guard !isUnfitting else {
                state.mustStartOver = true
                return nil
            }
            state.total = head.bodyLength
            if head.status == 206, let rest {
                let range = head.headers[.contentRange].flatMap { ContentRange($0) }
                (state.count, state.total) = (rest.offset, range?.total)
            }
            state.phase = .writing
            let count = state.count
            // Under the lock, so that what a stop adds to the queue comes later.
            queue.add { self.open(head, at: count) }
            return SinkContent(earlier: count, total: state.total)
        }
        guard let content else {
            guard isUnfitting, let restart, mustStartOver else { return nil }
            onRestart(restart)
            throw Unfitting()
        }
        if let restart { onRestart(restart) }
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
        // A transport without backpressure blocks here until the disk catches up or the call ends.
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
            case .whole, .cut, .over: return (nil, [])
            case .new:
                state.phase = .over
                return (nil, [])
            case .writing:
                state.phase = .cut
                return (state.takeWaiting(), state.takeOnRoom())
            }
        }
        // Keeps the received bytes for resuming. If the disk is full, fewer are kept.
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
        earlier?.withdraw()
        do throws(DownloadFailure) {
            let part = try file.open(file.part.path, true)
            let length = part.length
            // A whole part, whose last byte was asked for again.
            let isWhole = length == offset + 1 && length == rest?.note.total
            guard offset == 0 || length == offset || isWhole else {
                state.withLock { ($0.mustStartOver, $0.failure) = (true, Unfitting()) }
                return onRestart(.partChanged)
            }
            try part.truncate(to: offset)
            if offset == 0 { try file.noteVersion(of: head) }
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
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            state.unwritten -= portion.count
            if let failure { state.failure = failure }
            let hasRoom = state.failure != nil || state.unwritten <= Self.limit / 4
            return hasRoom ? state.takeOnRoom() : []
        }
        for handler in handlers { handler() }
    }

    /// Gives up a whole body, because a later one replaces it or the call fails.
    func withdraw() {
        let isWhole = state.withLock { state in
            guard case .whole = state.phase else { return false }
            state.phase = .cut
            return true
        }
        if isWhole { close() }
    }

    /// Closes the partial file, which releases its lock.
    private func close() {
        let closed = part.withLock { part in
            defer { part = nil }
            return part
        }
        withExtendedLifetime(closed) {}
    }
}

// MARK: - When the response has ended

extension FileSink {
    /// Waits until all received bytes are written.
    ///
    /// - Throws: The error that stopped the writing.
    @inline(never)
    func settle() async throws {
        try await queue.run { if let failure = self.failure { throw failure } }
    }

    /// Calls a handler when all received bytes are written.
    func whenSettled(_ handler: @escaping @Sendable () -> Void) {
        queue.add(handler)
    }

    /// Verifies the file and moves it to its destination.
    ///
    /// Does nothing if the sink didn't take the body.
    ///
    /// Canceling the task leaves the partial file in place.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - digest: The digest check to run, or nil for none.
    /// - Throws: ``DownloadFailure`` if the verification or the move fails, or a ``TransportError`` if the body is cut.
    func complete(_ head: ResponseHead, checking digest: ContentDigest?) async throws {
        let isWhole = try state.withLock { state in
            // The body of a response that an interceptor kept is lost if a later one was cut off.
            if case .cut = state.phase { throw TransportError(.truncatedResponse) }
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
                    try? file.remove()  // The failed check is the error to report.
                    throw error
                }
            }
        }
        try Task.checkCancellation()
        try await queue.run { [file] in try file.complete() }
    }
}

/// A partial file that is open for writing.
///
/// Only its file's queue uses it.
protocol WritablePart: Sendable {
    /// The size in bytes.
    var length: Int64 { get }
    /// Removes the content from an offset on, where the next bytes are written.
    func truncate(to offset: Int64) throws(DownloadFailure)
    /// Appends bytes.
    func write(_ data: Data) throws(DownloadFailure)
}

/// The partial file, whose problems are those of the download.
final class PartFile: WritablePart {
    private let file: LockedFile
    private let path: String

    /// Opens and locks the partial file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - creating: Whether to create the file if it doesn't exist.
    /// - Throws: ``DownloadFailure`` if the file can't be opened or locked.
    init(_ path: String, creating: Bool) throws(DownloadFailure) {
        self.path = path
        do throws(LockedFile.Problem) {
            file = try LockedFile(path, creating: creating)
        } catch {
            switch error {
            case .notRegularFile: throw DownloadFailure(.notRegularFile, path)
            case .inUse: throw DownloadFailure(.inUse, path)
            case .errno(let code): throw DownloadFailure(errno: code, path)
            }
        }
    }

    var length: Int64 { file.length }

    func truncate(to offset: Int64) throws(DownloadFailure) {
        try check(file.truncate(to: offset))
    }

    func write(_ data: Data) throws(DownloadFailure) { try check(file.write(data)) }

    private func check(_ code: Int32?) throws(DownloadFailure) {
        if let code { throw DownloadFailure(errno: code, path) }
    }
}
