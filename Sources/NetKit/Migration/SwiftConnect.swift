public import Foundation

// The spellings of SwiftConnect.

/// The same under the name of SwiftConnect.
@available(*, deprecated, renamed: "Request")
public typealias Requestable = Request

/// The same under the name of SwiftConnect.
@available(*, deprecated, renamed: "MultipartFormDataRequest")
public typealias MultipartRequest = MultipartFormDataRequest

/// The same under the name of SwiftConnect.
@available(*, deprecated, renamed: "AuthToken")
public typealias AuthorizationToken = AuthToken

/// A request that says who asks, as SwiftConnect spells it.
@available(*, deprecated, message: "every Request has an authToken")
public protocol AuthorizedRequest: Request {
    /// Who asks; nil for nobody.
    @available(*, deprecated, renamed: "authToken")
    var authorizationToken: AuthToken? { get }
}

@available(*, deprecated)
extension AuthorizedRequest {
    /// The ``authorizationToken``.
    public var authToken: AuthToken? { authorizationToken }
}

extension JSONDecoder {
    /// A decoder for keys in snake case.
    @available(*, deprecated, renamed: "snakeCase")
    public static var snakeCaseDecoder: JSONDecoder { .snakeCase }
}

extension JSONEncoder {
    /// An encoder that writes keys in snake case.
    @available(*, deprecated, renamed: "snakeCase")
    public static var snakeCaseEncoder: JSONEncoder { .snakeCase }
}

extension HTTPResponse {
    /// Decodes the body, or what is in it at a key path.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - decoder: Decodes it. Defaults to a plain `JSONDecoder`.
    ///   - keyPath: Names with dots between them; empty for the whole body.
    /// - Returns: The value.
    /// - Throws: As ``decoded(to:using:keyPath:)``.
    @available(*, deprecated, renamed: "decoded(to:using:keyPath:)")
    public func decoded<Value: Decodable>(
        toType type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value {
        try decoded(to: type, using: decoder, keyPath: keyPath)
    }

    /// Decodes what is in the body at a key path.
    ///
    /// - Parameters:
    ///   - key: Names with dots between them.
    ///   - type: What to decode.
    /// - Returns: The value.
    /// - Throws: As ``decoded(to:using:keyPath:)``.
    @available(*, deprecated, message: "use decoded(to:keyPath:)")
    public func get<Value: Decodable>(key: String, ofType type: Value.Type) throws -> Value {
        try decoded(to: type, keyPath: key)
    }

    /// The body as text.
    ///
    /// - Returns: The text in its charset.
    @available(*, deprecated, renamed: "text")
    public func asString() -> String { text }

    /// The body as bytes.
    @available(*, deprecated, renamed: "body")
    public var data: Data { body }
}
