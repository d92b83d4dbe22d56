public import Foundation

extension ResponseStream {
    /// The body as JSON values, one a line (NDJSON); empty lines are passed over.
    ///
    /// - Parameters:
    ///   - type: What each line is decoded to.
    ///   - decoder: Decodes them. By default the request's, else the endpoint's, else a plain `JSONDecoder`.
    /// - Returns: The values; a line that does not decode ends them with a ``DecodingFailure``.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil
    ) -> JSONLines<Value> {
        JSONLines(lines: lines, decoder: decoder ?? self.decoder)
    }
}

/// The JSON values of a response, one a line, while it arrives.
public struct JSONLines<Value: Decodable>: AsyncSequence {
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
        /// - Throws: ``DecodingFailure``, what an `init(from:)` throws of its own, or what
        ///   ``ResponseLines/AsyncIterator/next()`` throws.
        public mutating func next() async throws -> Value? {
            while let line = try await lines.nextBytes() {
                guard line.contains(where: { !$0.isJSONWhiteSpace }) else { continue }
                return try JSONDecoding.value(Value.self, from: Data(line), decoder: decoder)
            }
            return nil
        }
    }
}
