import Foundation

/// Reads a response line by line.
struct LineReader {
    private var chunks: ResponseStream.AsyncIterator
    private var splitter = LineSplitter(limit: 1 << 20, endsAtCarriageReturn: false)

    init(_ stream: ResponseStream) {
        chunks = stream.makeAsyncIterator()
    }

    /// The bytes of the next line, nil at the end.
    ///
    /// - Throws: As ``ResponseStream/AsyncIterator/next()`` does, and ``StreamFailure/lineTooLong(limit:)``.
    mutating func next() async throws -> ArraySlice<UInt8>? {
        while true {
            if let line = try splitter.next() { return line }
            guard let chunk = try await chunks.next() else { return splitter.rest() }
            splitter.add(chunk)
        }
    }
}
