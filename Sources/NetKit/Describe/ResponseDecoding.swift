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
/// ``ErrorResponse/decoding(_:underlying:)``.
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
        self.accept = accept
        self.readsBody = readsBody
        self.decode = decode
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
