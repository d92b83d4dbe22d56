package import Foundation

/// Converts a response's JSON before it is decoded, such as to unwrap an envelope.
///
/// A converter runs on the body of a 2xx response (``Request/responseConverter``) or of any other
/// (``Request/errorConverter``), but not on an empty one. What it gets and what it may return is
/// parsed JSON:
///
/// | JSON | value |
/// |---|---|
/// | object, array | `[String: Any]`, `[Any]` |
/// | string | `String` |
/// | number | an `NSNumber`, which casts to `Int`, `Double` and their kin where they hold it |
/// | `true`, `false` | `Bool`, which does not cast to a number |
/// | `null` | `NSNull` |
///
/// What is returned may also hold Optionals, Swift numbers, `Decimal`, `Date`, `URL`, `UUID`, `Data`,
/// ``JSONValue`` and any `Encodable`. Numbers that the converter does not touch stay exact.
public protocol ResponseJSONConverter: Sendable {
    /// The JSON to decode instead.
    ///
    /// - Parameter json: The body, parsed.
    /// - Returns: What is to be decoded; it must have a JSON form.
    /// - Throws: Anything; it reaches the caller beside the response, as
    ///   ``ErrorResponse/decoding(_:underlying:)`` or
    ///   ``ErrorResponse/undecodableServerError(_:underlying:)``.
    func convertedJSON(from json: Any) throws -> Any
}

/// A converter that finds what it wants in the text itself, so that nothing is parsed twice.
package protocol SlicingConverter: ResponseJSONConverter {
    /// The part of `body` to decode.
    func slice(of body: Data) throws -> Data
    /// Where the part was found, to complete the coding path of a decoding error.
    var path: JSONPath { get }
}

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
