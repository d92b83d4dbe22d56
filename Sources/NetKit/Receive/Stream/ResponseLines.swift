import Foundation

/// The lines of a response, while it arrives.
public struct ResponseLines: AsyncSequence, Sendable {
    let stream: ResponseStream

    /// Starts to read.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: stream.makeAsyncIterator())
    }

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: ResponseStream.AsyncIterator
        var splitter = LineSplitter(limit: 1 << 20, endsAtCarriageReturn: false)

        /// The next line, nil at the end.
        ///
        /// - Returns: The line without its end.
        /// - Throws: As ``ResponseStream/AsyncIterator/next()`` does, and
        ///   ``StreamFailure/lineTooLong(limit:)``.
        public mutating func next() async throws -> String? {
            try await nextBytes().map { String(decoding: $0, as: UTF8.self) }
        }

        /// The next line as it came.
        mutating func nextBytes() async throws -> ArraySlice<UInt8>? {
            while true {
                if let line = try splitter.next() { return line }
                guard let chunk = try await chunks.next() else { return splitter.rest() }
                splitter.add(chunk)
            }
        }
    }
}
