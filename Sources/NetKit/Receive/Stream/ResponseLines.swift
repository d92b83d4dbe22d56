import Foundation

/// The lines of a response, while it arrives.
public struct ResponseLines: AsyncSequence, Sendable {
    public typealias Element = String

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
            while true {
                if let line = try splitter.next() { return String(decoding: line, as: UTF8.self) }
                guard let chunk = try await chunks.next() else {
                    return splitter.rest().map { String(decoding: $0, as: UTF8.self) }
                }
                splitter.add(chunk)
            }
        }
    }
}

/// The JSON values of a response, one a line, while it arrives.
public struct JSONLines<Value: Decodable>: AsyncSequence {
    public typealias Element = Value

    let lines: ResponseLines
    let decoder: JSONDecoder

    /// Starts to read.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: lines.makeAsyncIterator(), decoder: decoder)
    }

    /// Reads values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var lines: ResponseLines.AsyncIterator
        let decoder: JSONDecoder

        /// The next value, nil at the end.
        ///
        /// - Returns: What a line was decoded to.
        /// - Throws: A `DecodingError`, or what ``ResponseLines/AsyncIterator/next()`` throws.
        public mutating func next() async throws -> Value? {
            while let line = try await lines.next() {
                let bytes = Data(line.utf8)
                guard bytes.contains(where: { !$0.isJSONWhiteSpace }) else { continue }
                return try decoder.decode(Value.self, from: bytes)
            }
            return nil
        }
    }
}
