public import Foundation

extension HTTPResponse {
    /// Decodes the body, or one node of it, as JSON, whatever the status code.
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the type that the context expects.
    ///   - decoder: The decoder. Defaults to a new `JSONDecoder`.
    ///   - keyPath: The path of the node, such as `data/items/0`, or `data.items.0` if it has no slash. Defaults to the
    ///     whole document.
    /// - Returns: The value. For an Optional, an empty body and JSON `null` decode to nil.
    /// - Throws: ``DecodingFailure``, or ``ConversionFailure`` if there is no node at `keyPath`.
    public func decoded<Value: Decodable>(
        to type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value {
        try JSONDecoding.value(type, of: self, at: JSONPath(dotted: keyPath), decoder: decoder)
    }

    /// Parses the body as a JSON value with exact numbers.
    ///
    /// - Returns: The document.
    /// - Throws: ``DecodingFailure`` if the body is empty or isn't JSON.
    public func json() throws -> JSONValue {
        try decoded(to: JSONValue.self)
    }
}
