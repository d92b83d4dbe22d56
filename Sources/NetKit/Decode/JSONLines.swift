public import Foundation

extension ResponseStream {
    /// The body as JSON values, one a line (NDJSON); empty lines are passed over.
    ///
    /// Reading throws what reading ``lines`` throws, ``DecodingFailure`` for a line that doesn't decode, and what an
    /// `init(from:)` throws of its own.
    ///
    /// - Parameters:
    ///   - type: The type of each line.
    ///   - decoder: Decodes them. By default the request's, else the endpoint's, else a plain `JSONDecoder`.
    /// - Returns: The values; the first failure ends them.
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
                    return try JSONDecoding.value(Value.self, from: Data(line), decoder: decoder)
                }
                return nil
            }
        }
    }
}
