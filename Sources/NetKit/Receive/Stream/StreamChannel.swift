import Foundation

/// Hands the bytes of a response from the transport to the one who reads them.
///
/// What is not read yet is kept up to a limit. From half of it on the server is held back where the
/// transport can do so. Nothing above URLSession can without holding back every other transfer, so beyond
/// the limit the transfer is ended: it goes on from there once the reader has caught up, where the server
/// can send the rest alone, and fails otherwise.
final class StreamChannel: BodySink {
    private struct State {
        var head: ResponseHead?
        var opening: CheckedContinuation<ResponseHead?, Never>?
        var chunks: ArraySlice<Data> = []
        var buffered = 0
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Result<Data?, any Error>, Never>?
        /// Whether a response is being taken.
        var isTaking = false
        /// What has come, where the rest could be asked for.
        var body: ResumableBody?
        /// Whether the transfer was ended to go on later.
        var isPaused = false
        /// Whether the next response is to be the rest.
        var isAwaitingRest = false
        /// Told when a paused transfer may go on.
        var onRoom: (@Sendable () -> Void)?

        /// What a reader gets now, nil if it has to wait.
        mutating func take() -> Result<Data?, any Error>? {
            if let chunk = chunks.popFirst() {
                buffered -= chunk.count
                return .success(chunk)
            }
            // A slice holds on to what was taken from it.
            chunks = []
            return end.map { $0.map { nil } }
        }
    }

    private let state = Locked(State())
    private let limit: Int
    private let isResumable: Bool

    /// Makes a channel.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that wait to be read.
    ///   - isResumable: Whether the request can be sent again for the rest of its response.
    init(limit: Int, isResumable: Bool) {
        self.limit = limit
        self.isResumable = isResumable
    }

    /// Whether a head has been handed over, so that nothing can be tried again.
    var hasBegun: Bool { state.withLock { $0.head != nil } }

    /// Whether the server had better be held back.
    var isFull: Bool { state.withLock { $0.buffered > limit / 2 && $0.end == nil } }

    /// Whether nothing is to come any more.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// The head of a successful response; nil if the call ended without one.
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

    /// The next bytes, nil at the end; for one reader at a time.
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

    /// The call is over; nothing is added to an end that came before.
    func finish(_ failure: (any Error)?) {
        let (opening, head, reader) = state.withLock { state in
            if state.end == nil {
                // A response that is not the rest is none at all.
                let rest = state.isAwaitingRest ? StreamFailure.tooSlow(buffered: limit) : nil
                state.end = (failure ?? rest).map { .failure($0) } ?? .success(())
            }
            defer { (state.opening, state.reader, state.onRoom) = (nil, nil, nil) }
            return (state.opening, state.head, state.reader.map { ($0, state.take()) })
        }
        opening?.resume(returning: head)
        if let (reader, result) = reader { reader.resume(returning: result ?? .success(nil)) }
    }

    // MARK: What the transfer brings

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        let opening = try state.withLock { state in
            if state.isAwaitingRest {
                guard state.body?.isContinued(by: head) == true else {
                    throw StreamFailure.tooSlow(buffered: limit)
                }
                state.isAwaitingRest = false
            } else {
                state.head = head
                state.body = isResumable ? ResumableBody(head) : nil
            }
            state.isTaking = true
            defer { state.opening = nil }
            return state.opening
        }
        opening?.resume(returning: head)
        return SinkContent()
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        let reader = try state.withLock {
            state -> CheckedContinuation<Result<Data?, any Error>, Never>? in
            // A transfer that was ended may still have something on its way, behind what was let go.
            guard state.isTaking else { return nil }
            if let reader = state.reader {
                state.reader = nil
                state.body?.receive(data.count)
                return Optional(reader)
            }
            let fits = beyondLimit || state.buffered + data.count <= limit
            guard fits || state.chunks.isEmpty else {
                state.isPaused = state.body != nil
                state.isTaking = false
                throw StreamFailure.tooSlow(buffered: state.buffered)
            }
            state.chunks.append(data)
            state.buffered += data.count
            state.body?.receive(data.count)
            return nil
        }
        reader?.resume(returning: .success(data))
    }

    func end() throws {
        // A redirect's response ends as well, and is not the one that is read.
        let isOver = try state.withLock { state in
            guard state.isTaking else { return false }
            state.isTaking = false
            guard state.body?.isWhole != false else { throw TransportError(.truncatedResponse) }
            return true
        }
        if isOver { finish(nil) }
    }

    /// The reason follows, by ``finish(_:)``.
    func abandon() {}
}

// MARK: - Going on after a pause

extension StreamChannel {
    /// What asks for the rest of a transfer that was ended as its reader was too slow; nil if that is
    /// not how it ended.
    ///
    /// The next response is to be that rest.
    func takeFieldsOfRest() -> [(HTTPHeaderName, String)]? {
        state.withLock { state in
            guard state.isPaused, state.end == nil else { return nil }
            state.isPaused = false
            state.isAwaitingRest = true
            return state.body?.fields
        }
    }

    /// Calls a handler when at most a quarter of the room is taken.
    ///
    /// - Returns: False if it is already; the handler is not called then.
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
