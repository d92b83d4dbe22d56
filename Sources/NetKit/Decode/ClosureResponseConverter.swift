/// Converts a response's JSON with a closure: `ClosureResponseConverter { ($0 as? [Any])?.first ?? [] }`.
///
/// See ``ResponseJSONConverter`` for what the closure gets and may return.
public struct ClosureResponseConverter: ResponseJSONConverter {
    private let convert: @Sendable (Any) throws -> Any

    /// Makes a converter.
    ///
    /// - Parameter convert: Makes the JSON to decode of the body, parsed. What it throws reaches the
    ///   caller beside the response.
    public init(_ convert: @escaping @Sendable (Any) throws -> Any) {
        self.convert = convert
    }

    /// What the closure makes of the JSON.
    ///
    /// - Parameter json: The body, parsed.
    /// - Returns: What is to be decoded.
    /// - Throws: What the closure throws.
    public func convertedJSON(from json: Any) throws -> Any {
        try convert(json)
    }
}
