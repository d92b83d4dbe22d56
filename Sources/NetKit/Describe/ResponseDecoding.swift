public import Foundation

/// A conversion of a 2xx response into a value.
///
/// To support a custom format, add a static member:
///
/// ```swift
/// extension ResponseDecoding where Value == Feed {
///     static var xml: Self { Self(accept: "application/xml") { response, _ in try Feed(xml: response.body) } }
/// }
/// ```
///
/// The closure also runs for empty bodies. An error that it throws reaches the caller as
/// ``ErrorResponse/decoding(_:underlying:)``, or as ``ErrorResponse/server(_:_:)`` if it is of the request's
/// ``Request/ErrorType``. Either is too late for a token refresh or a retry. For those, use ``Request/status(of:)``.
public struct ResponseDecoding<Value: Sendable>: Sendable {
    /// Creates the value from a response.
    package let decode: @Sendable (HTTPResponse, JSONDecoder) throws -> Value
    /// The value of the `Accept` field, unless a header overrides it.
    package let accept: String
    /// Whether the decoding reads the body.
    ///
    /// If false, converters don't run.
    package let readsBody: Bool

    /// Creates a decoding that requests a media type.
    ///
    /// - Parameters:
    ///   - accept: The value of the `Accept` field, unless a header overrides it. Defaults to `*/*`.
    ///   - decode: A closure that creates the value from a response. It receives the first decoder that the operation,
    ///     the request or the endpoint sets, or else a new one.
    public init(
        accept: MimeType = MimeType(rawValue: "*/*"),
        _ decode: @escaping @Sendable (HTTPResponse, JSONDecoder) throws -> Value
    ) {
        self.init(accept: accept.rawValue, readsBody: true, decode)
    }

    package init(
        accept: String,
        readsBody: Bool,
        _ decode: @escaping @Sendable (HTTPResponse, JSONDecoder) throws -> Value
    ) {
        (self.accept, self.readsBody, self.decode) = (accept, readsBody, decode)
    }
}

extension ResponseDecoding {
    /// Returns a decoding that transforms this decoding's value and requests the same media type.
    ///
    /// - Parameter transform: A closure that transforms the value. An error that it throws becomes the `underlying`
    ///   error of ``ErrorResponse/decoding(_:underlying:)``.
    /// - Returns: The new decoding.
    public func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> ResponseDecoding<NewValue> {
        let decode = decode
        return ResponseDecoding<NewValue>(accept: accept, readsBody: readsBody) {
            try transform(decode($0, $1))
        }
    }
}

/// A type that converts a response's JSON before decoding, for example to unwrap an envelope.
///
/// A converter runs on the body of a 2xx response (``Request/responseConverter``) or of any other response
/// (``Request/errorConverter``), but not on an empty body. Its input is parsed JSON:
///
/// | JSON | value |
/// |---|---|
/// | object, array | `[String: Any]`, `[Any]` |
/// | string | `String` |
/// | number | an `NSNumber`, which casts to `Int`, `Double` and other numeric types that can hold it |
/// | `true`, `false` | `Bool`, which does not cast to a number |
/// | `null` | `NSNull` |
///
/// The result can also contain Optionals, Swift numbers, `Decimal`, `Date`, `URL`, `UUID`, `Data`, ``JSONValue`` and
/// any `Encodable` value. Numbers that the converter doesn't change stay exact.
public protocol ResponseJSONConverter: Sendable {
    /// Returns the JSON to decode in place of the response's JSON.
    ///
    /// - Parameter json: The parsed body.
    /// - Returns: The JSON to decode. Every value in it must have a JSON form.
    /// - Throws: Any error. It reaches the caller together with the response, as
    ///   ``ErrorResponse/decoding(_:underlying:)`` or ``ErrorResponse/undecodableServerError(_:underlying:)``.
    func convertedJSON(from json: Any) throws -> Any
}

/// A converter that calls a closure: `ClosureResponseConverter { ($0 as? [Any])?.first ?? [] }`.
///
/// For the closure's input and output, see ``ResponseJSONConverter``.
public struct ClosureResponseConverter: ResponseJSONConverter {
    private let convert: @Sendable (Any) throws -> Any

    /// Creates a converter.
    ///
    /// - Parameter convert: A closure that receives the parsed body and returns the JSON to decode. An error that it
    ///   throws reaches the caller together with the response.
    public init(_ convert: @escaping @Sendable (Any) throws -> Any) {
        self.convert = convert
    }

    /// Calls the closure.
    ///
    /// - Parameter json: The parsed body.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error that the closure throws.
    public func convertedJSON(from json: Any) throws -> Any {
        try convert(json)
    }
}
