/// The elements of a response or of several pages, one after the other, while they arrive.
///
/// ``ResponseStream/lines``, ``ResponseStream/serverSentEvents``, ``ResponseStream/jsonLines(of:decoder:)`` and
/// ``Pages/items(_:)`` are such sequences. The doc of each says what reading throws.
public struct ResponseElements<Element>: AsyncSequence, Sendable {
    private let start: @Sendable () -> AsyncIterator

    init(_ start: @escaping @Sendable () -> AsyncIterator) {
        self.start = start
    }

    /// Starts to read.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { start() }

    /// Reads the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let read: () async throws -> Element?

        init(_ read: @escaping () async throws -> Element?) {
            self.read = read
        }

        /// The next element, nil at the end.
        ///
        /// - Returns: The element.
        /// - Throws: As the property or method that made the sequence says.
        public mutating func next() async throws -> Element? { try await read() }
    }
}
