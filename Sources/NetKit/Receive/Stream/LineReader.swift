import Foundation

/// A reader that splits a response into lines.
struct LineReader {
    private var chunks: ResponseStream.AsyncIterator
    private var splitter = LineSplitter(limit: 1 << 20, endsAtCarriageReturn: false)
    /// Whether the last line was ended by the body alone.
    private(set) var isAtRest = false
    /// The number of the last line, starting at 1.
    private(set) var number = 0

    init(_ stream: ResponseStream) {
        chunks = stream.makeAsyncIterator()
    }

    /// Returns the bytes of the next line, or nil at the end.
    ///
    /// - Throws: The errors of ``ResponseStream/AsyncIterator/next()``, and ``StreamFailure/lineTooLong(limit:)``.
    mutating func next() async throws -> ArraySlice<UInt8>? {
        while true {
            if let line = try splitter.next() {
                number += 1
                return line
            }
            guard let chunk = try await chunks.next() else {
                isAtRest = true
                number += 1
                return splitter.rest()
            }
            splitter.add(chunk)
        }
    }
}
