/// An asynchronous sequence of elements that arrive with a response or with several responses.
///
/// ``ResponseStream/lines``, ``ResponseStream/serverSentEvents``, ``ResponseStream/jsonLines(of:decoder:)``,
/// ``Pages/items(_:)``, and ``Endpoint/repeating(_:every:)`` return it. Their documentation lists the errors that
/// iteration throws.
public struct ResponseElements<Element>: AsyncSequence, Sendable {
    private let start: @Sendable () -> AsyncIterator

    package init(_ start: @escaping @Sendable () -> AsyncIterator) {
        self.start = start
    }

    /// Creates an iterator over the elements.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { start() }

    /// An iterator over the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let read: () async throws -> Element?

        package init(_ read: @escaping () async throws -> Element?) {
            self.read = read
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Returns: The next element, or nil at the end.
        /// - Throws: The errors that the sequence's property or method documents.
        public mutating func next() async throws -> Element? { try await read() }
    }
}
