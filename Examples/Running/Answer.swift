/// Waits for the result that a call passes to its closures.
///
/// An app or a server keeps running and doesn't need this type.
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

    /// The value passed to a closure.
    var value: Value {
        get async throws {
            for try await value in stream { return value }
            throw DemonstrationError("no closure was called")
        }
    }
}
