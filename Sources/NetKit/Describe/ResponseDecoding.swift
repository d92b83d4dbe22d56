public import Foundation

/// How a response with a 2xx status becomes the value.
///
/// A value itself, so that a format of one's own is one more static member:
///
/// ```swift
/// extension ResponseDecoding where Value == Feed {
///     static var xml: Self { Self(accept: "application/xml") { response, _ in try Feed(xml: response.body) } }
/// }
/// ```
///
/// The closure is called for empty bodies too; what it throws reaches the caller as
/// ``ErrorResponse/decoding(_:underlying:)``.
public struct ResponseDecoding<Value: Sendable>: Sendable {
    /// Makes the value of a response.
    package let decode: @Sendable (HTTPResponse, JSONDecoder) throws -> Value
    /// What the Accept field says unless a header says otherwise.
    package let accept: String
    /// Whether the body matters; if not, converters are not run.
    package let readsBody: Bool

    /// Makes a decoding that accepts any media type.
    ///
    /// - Parameter decode: Makes the value of a response, with the decoder of the operation, the
    ///   request or the endpoint, should it need one.
    public init(_ decode: @escaping @Sendable (HTTPResponse, JSONDecoder) throws -> Value) {
        self.init(accept: "*/*", readsBody: true, decode)
    }

    /// Makes a decoding that asks for a media type.
    ///
    /// - Parameters:
    ///   - accept: What the Accept field says unless a header says otherwise.
    ///   - decode: Makes the value of a response, with the decoder of the operation, the request
    ///     or the endpoint, should it need one.
    public init(
        accept: MimeType,
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
    /// A decoding that transforms this one's value; it asks for the same media type.
    ///
    /// - Parameter transform: Makes the value of it. What it throws is the `underlying` error of
    ///   ``ErrorResponse/decoding(_:underlying:)``.
    /// - Returns: The decoding.
    public func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> ResponseDecoding<NewValue> {
        let decode = decode
        return ResponseDecoding<NewValue>(accept: accept, readsBody: readsBody) {
            try transform(decode($0, $1))
        }
    }
}
