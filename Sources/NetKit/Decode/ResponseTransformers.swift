public import Foundation

extension HTTPResponse {
    /// Decodes the body, or one node of it, as JSON, whatever the status.
    ///
    /// - Parameters:
    ///   - type: What to decode. Defaults to what the context asks for.
    ///   - decoder: The decoder. Defaults to a new one.
    ///   - keyPath: The way to the node, `data/items/0` or, without any slash, `data.items.0`. Defaults to
    ///     the whole document.
    /// - Returns: The value; nil of an Optional for an empty body and for JSON `null`.
    /// - Throws: ``DecodingFailure``, or ``ConversionFailure`` if there is nothing at `keyPath`.
    public func decoded<Value: Decodable>(
        to type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value {
        try JSONDecoding.value(type, of: self, at: JSONPath(dotted: keyPath), decoder: decoder)
    }

    /// The body as a JSON value, numbers exact.
    ///
    /// - Returns: The document.
    /// - Throws: ``DecodingFailure`` if the body is empty or is not JSON.
    public func json() throws -> JSONValue {
        try decoded(to: JSONValue.self)
    }
}
