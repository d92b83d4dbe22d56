public import Foundation

extension ResponseStream {
    /// Returns the lines of the body decoded as JSON values (NDJSON), skipping empty lines.
    ///
    /// Reading throws the errors of ``lines``, ``DecodingFailure`` for a line that doesn't decode, and other errors of
    /// the type's `init(from:)`. The first error ends the sequence. The text of a ``DecodingFailure`` names the number of
    /// the line, and the endpoint's logger receives it.
    ///
    /// - Parameters:
    ///   - type: The type of each line. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to that of the request or of the endpoint, or else a plain `JSONDecoder`.
    /// - Returns: The sequence of values.
    public func jsonLines<Value: ResponseObject>(
        of type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil
    ) -> ResponseElements<Value> {
        ResponseElements {
            var lines = LineReader(self)
            let decoder = decoder ?? self.decoder
            return .init {
                while let line = try await lines.next() {
                    guard line.contains(where: { !$0.isJSONWhiteSpace }) else { continue }
                    do {
                        return try JSONDecoding.value(
                            Value.self,
                            from: Data(line),
                            decoder: decoder
                        )
                    } catch {
                        throw undecodable(error, inLine: lines.number)
                    }
                }
                return nil
            }
        }
    }

    /// Returns the error of a line that doesn't decode, after reporting it to the call's log.
    func undecodable(_ error: any Error, inLine number: Int) -> any Error {
        let failure: any Error = (error as? DecodingFailure)?.inLine(number) ?? error
        onUndecodable(failure)
        return failure
    }
}
