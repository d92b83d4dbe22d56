import Foundation

/// Hands the bytes of a response from the transport to the one who reads them.
///
/// What is not read yet is kept up to a limit; beyond it the transfer fails, as nothing above
/// URLSession can hold a server back without holding back every other transfer.
final class StreamChannel: BodySink {
    private struct State {
        var head: ResponseHead?
        var opening: CheckedContinuation<ResponseHead?, Never>?
        var chunks: ArraySlice<Data> = []
        var buffered = 0
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Result<Data?, any Error>, Never>?

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

    /// Makes a channel.
    ///
    /// - Parameter limit: The most bytes that wait to be read.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a head has been handed over, so that nothing can be tried again.
    var hasBegun: Bool { state.withLock { $0.head != nil } }

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
            let ready = state.withLock { state -> Result<Data?, any Error>? in
                if let ready = state.take() { return ready }
                guard state.reader == nil else { return .success(nil) }
                state.reader = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    /// The call is over; nothing is added to an end that came before.
    func finish(_ failure: (any Error)?) {
        let (opening, head, reader) = state.withLock { state in
            if state.end == nil { state.end = failure.map { .failure($0) } ?? .success(()) }
            defer { (state.opening, state.reader) = (nil, nil) }
            return (state.opening, state.head, state.reader.map { ($0, state.take()) })
        }
        opening?.resume(returning: head)
        if let (reader, result) = reader { reader.resume(returning: result ?? .success(nil)) }
    }

    // MARK: What the transfer brings

    func begin(_ head: ResponseHead) -> SinkContent? {
        guard head.status.isSuccessful else { return nil }
        let opening = state.withLock { state in
            state.head = head
            defer { state.opening = nil }
            return state.opening
        }
        opening?.resume(returning: head)
        return SinkContent()
    }

    func write(_ data: Data) throws {
        let reader = try state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                return Optional(reader)
            }
            guard state.buffered + data.count <= limit || state.chunks.isEmpty else {
                throw StreamFailure.tooSlow(buffered: state.buffered)
            }
            state.chunks.append(data)
            state.buffered += data.count
            return nil
        }
        reader?.resume(returning: .success(data))
    }

    func end() {
        // A redirect's response ends as well, and is not the one that is read.
        if hasBegun { finish(nil) }
    }

    /// The reason follows, by ``finish(_:)``.
    func abandon() {}
}
