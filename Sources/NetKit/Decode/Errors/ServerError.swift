public import Foundation

/// What a server says went wrong, made of a response whose status is not 2xx.
///
/// A `Decodable` type needs only a `message`; the body is then decoded as JSON:
///
/// ```swift
/// struct AuthError: ServerError, Decodable { let message: String; let code: Int }
/// ```
///
/// `String` (the body's text), an Optional of another server error, ``ServerMessage`` and
/// ``ProblemDetails`` are server errors too.
public protocol ServerError: Sendable {
    /// What to tell a person.
    var message: String { get }

    /// Makes the error of a response.
    ///
    /// - Parameters:
    ///   - response: The response; its body is what ``Request/errorConverter`` made of it.
    ///   - decoder: The decoder of the operation, the request or the endpoint.
    /// - Returns: The error.
    /// - Throws: Anything; the caller then gets the response and the reason as
    ///   ``ErrorResponse/undecodableServerError(_:underlying:)``.
    static func decode(from response: HTTPResponse, using decoder: JSONDecoder) throws -> Self
}

extension ServerError where Self: Decodable {
    /// Decodes the body as JSON, whatever its Content-Type.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request or the endpoint.
    /// - Returns: The error.
    /// - Throws: ``DecodingFailure`` if the body is empty or is something else.
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

    /// The body's text; of a body that is a JSON string, that string.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: Not used.
    /// - Returns: The text, empty for an empty body.
    /// - Throws: An error if the body is not text in the charset it announces.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> String {
        try TextDecoding.value(of: response)
    }
}

extension Optional: ServerError where Wrapped: ServerError {
    /// The wrapped error's message, "Empty response" for none.
    public var message: String { self?.message ?? "Empty response" }

    /// Decodes the wrapped error; an empty body and JSON `null` are none.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request or the endpoint.
    /// - Returns: The error, nil if the response has no body.
    /// - Throws: What the wrapped type throws.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> Wrapped? {
        if response.hasNoContent || JSONText.isNull(response.body) { return nil }
        return try Wrapped.decode(from: response, using: decoder)
    }
}
