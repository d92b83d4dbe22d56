import Foundation
import NetKitSupport

/// Passes the bytes of a response from the transport to the reader.
///
/// The channel buffers unread bytes up to a limit. From half the limit on, it reports itself full, so that transports
/// with backpressure slow the server down. Code above URLSession can't do that without blocking all other transfers.
/// Beyond the limit the channel therefore ends the transfer. It resumes once the reader has caught up, if the server
/// can send the rest alone, and fails otherwise.
final class StreamChannel: BodySink {
    private struct State: ~Copyable {
        var head: ResponseHead?
        var opening: CheckedContinuation<ResponseHead?, Never>?
        /// Whether no head is delivered any more.
        var isOpeningOver = false
        private var chunks: ArraySlice<Data> = []
        private(set) var buffered = 0
        /// Whether the last chunk consists of joined ones.
        private var isJoining = false
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Result<Data?, any Error>, Never>?
        /// Whether the channel is taking a response's body.
        var isTaking = false
        /// The received part of the body, if the rest could be requested.
        var body: ResumableBody?
        /// Whether the transfer was ended to be resumed later.
        var isPaused = false
        /// Whether the next response must be the rest of the body.
        var isAwaitingRest = false
        /// A handler to call when a paused transfer may resume.
        var onRoom: (@Sendable () -> Void)?

        /// Whether there are no unread chunks.
        var isEmpty: Bool { chunks.isEmpty }

        /// Adds an unread chunk.
        ///
        /// Behind many others, it joins small ones, each of which would take more memory than its bytes.
        mutating func add(_ data: Data) {
            buffered += data.count
            guard chunks.count >= StreamChannel.separateChunks,
                data.count < StreamChannel.smallChunk
            else {
                isJoining = false
                return chunks.append(data)
            }
            if isJoining, let last = chunks.indices.last,
                chunks[last].count < StreamChannel.smallChunk
            {
                chunks[last].append(data)
            } else {
                isJoining = true
                // A copy, as bytes that aren't the channel's would be released under the lock.
                chunks.append(data.withUnsafeBytes { Data($0) })
            }
        }

        /// Returns the unread chunks, and keeps none.
        mutating func takeAll() -> ArraySlice<Data> {
            defer { (chunks, buffered) = ([], 0) }
            return chunks
        }

        /// Returns the reader's next result, or nil if the reader has to wait.
        mutating func take() -> Result<Data?, any Error>? {
            if let chunk = chunks.takeFirst(leaving: Data()) {
                buffered -= chunk.count
                return .success(chunk)
            }
            return end.map { $0.map { nil } }
        }
    }

    /// The failure of a request that an interceptor sends again: a reader can't discard what it has read.
    static let isSentAgain = TransportError(
        .unsupported,
        underlying: UnsupportedFeature("sending a stream again once its response has begun")
    )

    /// The number of unread chunks from which on small ones are joined.
    private static let separateChunks = 1024
    /// The size below which a chunk is small, in bytes.
    private static let smallChunk = 4 << 10

    private let state = Locked(State())
    private let limit: Int
    private let isResumable: Bool

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of unread bytes.
    ///   - isResumable: Whether the request can be sent again for the rest of its response.
    init(limit: Int, isResumable: Bool) {
        self.limit = limit
        self.isResumable = isResumable
    }

    /// Whether the head has been delivered, after which a retry is impossible.
    var hasBegun: Bool { state.withLock { $0.head != nil } }

    /// Whether the transport should apply backpressure.
    var isFull: Bool { state.withLock { $0.buffered > limit / 2 && $0.end == nil } }

    /// Whether the stream has ended.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// The failure of a stream whose requested rest hasn't arrived, or nil.
    ///
    /// Another response, such as a 503, isn't that rest.
    var missingRest: StreamFailure? {
        state.withLock { $0.isAwaitingRest ? .readerTooSlow(bufferedBytes: limit) : nil }
    }

    /// Returns the head of the successful response, or nil if the call ended without one.
    func head() async -> ResponseHead? {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> ResponseHead?? in
                if state.head != nil || state.end != nil { return .some(state.head) }
                state.opening = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Returns the next bytes, or nil at the end.
    ///
    /// Supports one reader at a time.
    func next() async throws -> Data? {
        let result = await withCheckedContinuation { continuation in
            let (ready, onRoom) = state.withLock { state in
                let ready = state.take()
                if ready == nil, state.reader == nil {
                    state.reader = continuation
                    return (ready, takeOnRoom(&state))
                }
                return (ready ?? .success(nil), takeOnRoom(&state))
            }
            onRoom?()
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    /// Delivers no head from now on, and returns whether one was delivered.
    func endOpening() -> Bool {
        state.withLock { state in
            state.isOpeningOver = true
            return state.head != nil
        }
    }

    /// Ends the stream.
    ///
    /// An earlier end takes precedence.
    ///
    /// - Parameters:
    ///   - failure: The failure, or nil at the end of the body.
    ///   - isStopped: Whether a failure is that of a stopped call, whose unread bytes the reader doesn't get. Defaults to
    ///     false.
    func finish(_ failure: (any Error)?, isStopped: Bool = false) {
        let (opening, head, reader, onRoom, dropped) = state.withLock { state in
            var dropped: ArraySlice<Data> = []
            if state.end == nil {
                state.end = failure.map { .failure($0) } ?? .success(())
                // The transport may just be delivering bytes, which belong behind those dropped.
                state.isTaking = false
                if failure != nil, isStopped { dropped = state.takeAll() }
            }
            defer { (state.opening, state.reader, state.onRoom) = (nil, nil, nil) }
            let reader = state.reader.map { ($0, state.take()) }
            return (state.opening, state.head, reader, state.onRoom, dropped)
        }
        // Released outside of the lock: what it holds may use the stream as it is released.
        withExtendedLifetime((onRoom, dropped)) {}
        opening?.resume(returning: head)
        if let (reader, result) = reader { reader.resume(returning: result ?? .success(nil)) }
    }

    // MARK: Receiving the transfer

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        let opening = try state.withLock { state -> CheckedContinuation<ResponseHead?, Never>?? in
            if state.isOpeningOver { return nil }
            if state.isAwaitingRest {
                guard state.body?.resume(with: head) == true else {
                    throw StreamFailure.readerTooSlow(bufferedBytes: limit)
                }
                state.isAwaitingRest = false
            } else {
                guard state.head == nil else { throw Self.isSentAgain }
                state.head = head
                state.body = isResumable ? ResumableBody(head) : nil
            }
            state.isTaking = true
            defer { state.opening = nil }
            return .some(state.opening)
        }
        guard let opening else { return nil }
        opening?.resume(returning: head)
        return SinkContent()
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        guard !data.isEmpty else { return }
        let reader = try state.withLock {
            state -> CheckedContinuation<Result<Data?, any Error>, Never>? in
            // An ended transfer may still deliver bytes, which belong behind the dropped ones.
            guard state.isTaking else { return nil }
            if let reader = state.reader {
                state.reader = nil
                state.body?.receive(data.count)
                return Optional(reader)
            }
            let fits = beyondLimit || state.buffered + data.count <= limit
            guard fits || state.isEmpty else {
                state.isPaused = state.body != nil
                state.isTaking = false
                throw StreamFailure.readerTooSlow(bufferedBytes: state.buffered)
            }
            state.add(data)
            state.body?.receive(data.count)
            return nil
        }
        reader?.resume(returning: .success(data))
    }

    func end() throws {
        // The response of a redirect ends too, but the channel didn't take it.
        let isOver = try state.withLock { state in
            guard state.isTaking else { return false }
            state.isTaking = false
            guard state.body?.isWhole != false else { throw TransportError(.truncatedResponse) }
            return true
        }
        if isOver { finish(nil) }
    }

    /// Does nothing, because the call passes the reason to ``finish(_:)``.
    func abandon() {}
}

// MARK: - Resuming after a pause

extension StreamChannel {
    /// Returns the header fields that request the rest of a paused transfer.
    ///
    /// A transfer is paused for a slow reader. Returns nil if the transfer ended otherwise. After this call, the
    /// channel accepts only that rest as the next response.
    func takeResumeFields() -> [(HTTPHeaderName, String)]? {
        state.withLock { state in
            guard state.isPaused, state.end == nil else { return nil }
            state.isPaused = false
            state.isAwaitingRest = true
            return state.body?.fields
        }
    }

    /// Calls a handler when at most a quarter of the buffer is in use.
    ///
    /// - Parameter handler: The closure to call once.
    /// - Returns: `false` if there is room already, in which case the channel doesn't call the handler.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.buffered > limit / 4, state.end == nil else { return false }
            state.onRoom = handler
            return true
        }
    }

    private func takeOnRoom(_ state: inout State) -> (@Sendable () -> Void)? {
        guard state.buffered <= limit / 4 else { return nil }
        defer { state.onRoom = nil }
        return state.onRoom
    }
}
