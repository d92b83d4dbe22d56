public import Foundation

/// An error that a server reports in a response whose status code isn't 2xx.
///
/// A `Decodable` type needs only a `message`. NetKit decodes it from the response's JSON body:
///
/// ```swift
/// struct AuthError: ServerError, Decodable { let message: String; let code: Int }
/// ```
///
/// `String` (the body's text), an Optional of another server error, ``ServerMessage``, and ``ProblemDetails`` are also
/// server errors.
public protocol ServerError: Sendable {
    /// The message for people.
    var message: String { get }

    /// Decodes the error from a response.
    ///
    /// - Parameters:
    ///   - response: The response. If there is a ``Request/errorConverter``, the body is its result.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error.
    /// - Throws: Any error. The call then fails with ``ErrorResponse/undecodableServerError(_:underlying:)``, which
    ///   carries the response and the error.
    static func decode(from response: HTTPResponse, using decoder: JSONDecoder) throws -> Self
}

extension ServerError where Self: Decodable {
    /// Decodes the body as JSON, whatever its Content-Type.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error.
    /// - Throws: ``DecodingFailure`` if the body is empty or doesn't decode.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> Self {
        try JSONDecoding.value(Self.self, of: response, decoder: decoder)
    }
}

extension String: ServerError {
    /// The string itself.
    public var message: String { self }

    /// Decodes the body's text, or the content of a JSON string.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: Unused.
    /// - Returns: The text, which is empty for an empty body.
    /// - Throws: An error if the body isn't valid text in its declared charset.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> String {
        try TextDecoding.value(of: response)
    }
}

extension Optional: ServerError where Wrapped: ServerError {
    /// The wrapped error's message, or "Empty response" for nil.
    public var message: String { self?.message ?? "Empty response" }

    /// Decodes the wrapped error.
    ///
    /// An empty body and JSON `null` decode to nil.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error, or nil for an empty body or JSON `null`.
    /// - Throws: The errors of the wrapped type.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> Wrapped? {
        if response.hasNoContent || JSONText.isNull(response.body) { return nil }
        return try Wrapped.decode(from: response, using: decoder)
    }
}
