/// Waits for what the closures of a call receive.
///
/// A program that runs on, such as an app or a server, needs none: a call runs by itself.
struct Answer<Value: Sendable>: Sendable {
    private let stream: AsyncThrowingStream<Value, any Error>
    private let continuation: AsyncThrowingStream<Value, any Error>.Continuation

    init() {
        (stream, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    }

    /// Ends the wait with a value.
    func succeed(_ value: Value) {
        continuation.yield(value)
        continuation.finish()
    }

    /// Ends the wait with an error.
    func fail(_ error: any Error) {
        continuation.finish(throwing: error)
    }

    /// The value that a closure received.
    var value: Value {
        get async throws {
            for try await value in stream { return value }
            throw Misbehaviour("no closure was called")
        }
    }
}
