public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The spellings of SwiftConnect.

/// Another name for it, from SwiftConnect.
@available(*, deprecated, renamed: "Request")
public typealias Requestable = Request

/// Another name for it, from SwiftConnect.
@available(*, deprecated, renamed: "MultipartFormDataRequest")
public typealias MultipartRequest = MultipartFormDataRequest

/// Another name for it, from SwiftConnect.
@available(*, deprecated, renamed: "AuthToken")
public typealias AuthorizationToken = AuthToken

/// A request with a token, as SwiftConnect spells it.
@available(*, deprecated, message: "every Request has an authToken")
public protocol AuthorizedRequest: Request {
    /// The token, if any.
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
    /// Decodes the body, or the value at a key path of it.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
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

    /// Decodes the value at a key path of the body.
    ///
    /// - Parameters:
    ///   - key: Names with dots between them.
    ///   - type: The type to decode.
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

extension AuthToken {
    /// A bearer token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The token.
    @available(*, deprecated, renamed: "bearer(_:)")
    public static func bearer(token: String) -> AuthToken { .bearer(token) }
}

extension PathEncoding {
    /// `{key}`.
    @available(*, deprecated, message: "it is the default")
    public static var `default`: PathEncoding { PathEncoding(pattern: "{key}") }
}

extension URLEncoding {
    /// The place of a parameter; NetKit's `@Query` is always part of the query.
    @available(*, deprecated, message: "@Query is the query, @Object(encoding: .form()) the body")
    public enum Destination: Hashable, Sendable {
        /// The query.
        case queryString
    }

    /// How an array is written.
    @available(*, deprecated, renamed: "Arrays")
    public enum ArrayEncoding: Hashable, Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case noBrackets
        /// `key[0]=1&key[1]=2`
        case indexInBrackets
    }

    /// How a Boolean is written.
    @available(*, deprecated, renamed: "Booleans")
    public enum BoolEncoding: Hashable, Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// Brackets and numeric Booleans, as Alamofire has it.
    @available(*, deprecated, message: "use URLEncoding(), whose Booleans are literal")
    public static var `default`: URLEncoding { URLEncoding(booleans: .numeric) }

    /// Creates an encoding as SwiftConnect does.
    ///
    /// - Parameters:
    ///   - destination: The query.
    ///   - arrayEncoding: How an array is written. Defaults to brackets.
    ///   - boolEncoding: How a Boolean is written. Defaults to numeric.
    @available(*, deprecated, renamed: "init(arrays:booleans:)")
    public init(
        destination: Destination,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.init(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
    }

    /// Creates an encoding as SwiftConnect does.
    ///
    /// - Parameters:
    ///   - arrayEncoding: How an array is written.
    ///   - boolEncoding: How a Boolean is written. Defaults to numeric.
    @available(*, deprecated, renamed: "init(arrays:booleans:)")
    public init(arrayEncoding: ArrayEncoding, boolEncoding: BoolEncoding = .numeric) {
        let arrays: Arrays =
            switch arrayEncoding {
            case .brackets: .brackets
            case .noBrackets: .repeated
            case .indexInBrackets: .indexed
            }
        self.init(arrays: arrays, booleans: boolEncoding == .numeric ? .numeric : .literal)
    }
}

/// The encoding of an object as JSON.
@available(*, deprecated, message: "use ParameterEncoding.json")
public enum JSONEncoding {
    /// A JSON body.
    public static var `default`: ParameterEncoding { .json }
}

extension Object {
    /// Creates an object of the query: `@Object(encoding: URLEncoding.default)`.
    ///
    /// - Parameters:
    ///   - encoder: Encodes the object.
    ///   - encoding: How arrays and Booleans are written.
    @available(*, deprecated, message: "use @Object(encoding: .query()) or .form()")
    public init(encoder: JSONEncoder = JSONEncoder(), encoding: URLEncoding) {
        self.init(encoder: encoder, encoding: .query(encoding))
    }
}

/// A file of a form.
@available(*, deprecated, renamed: "DefaultMultipartFile")
public typealias File = DefaultMultipartFile

extension DefaultMultipartFile {
    /// Creates a file as SwiftConnect does.
    ///
    /// - Parameters:
    ///   - name: The file name in the form.
    ///   - key: The form field.
    ///   - mimeType: The media type of `data`.
    ///   - data: The contents.
    @available(
        *,
        deprecated,
        message: "use init(resource:mime:name:fileName:): key is name, name is fileName"
    )
    public init(name: String, key: String, mimeType: MimeType, data: Data) {
        self.init(resource: data, mime: mimeType, name: key, fileName: name)
    }
}

/// Media types by SwiftConnect's names.
@available(*, deprecated, message: "use the families: .image(.jpeg), .video(.mp4)")
extension MimeType {
    /// `image/jpeg`.
    public static let jpg: MimeType = "image/jpeg"
    /// `image/png`.
    public static let png: MimeType = "image/png"
    /// `image/gif`.
    public static let gif: MimeType = "image/gif"
    /// `image/tiff`.
    public static let tiff: MimeType = "image/tiff"
    /// `video/mp4`.
    public static let mp4: MimeType = "video/mp4"
    /// `video/quicktime`.
    public static let mov: MimeType = "video/quicktime"
    /// `application/pdf`.
    public static let pdf: MimeType = "application/pdf"
}

extension Request where ResponseObjectType == HTTPResponse {
    /// The response as it is.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding { response, _ in response }
    }
}

extension HTTPResponse {
    /// Decodes the value at a key path; nil if it is missing or `null`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: Decodes it. Defaults to a plain `JSONDecoder`.
    ///   - keyPath: Names with dots between them; empty for the whole body.
    /// - Returns: The value.
    /// - Throws: As `decoded(to:using:keyPath:)`, but for a missing node.
    @available(*, deprecated, message: "decode an Optional: decoded(to: Item?.self, keyPath:)")
    public func decodedIfPresent<Value: Decodable>(
        toType type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value? {
        do {
            return try decoded(to: Value?.self, using: decoder, keyPath: keyPath)
        } catch let failure as ConversionFailure {
            guard case .missingNode = failure.reason else { throw failure }
            return nil
        }
    }

    /// The body as a dictionary; empty if it is no JSON object.
    ///
    /// - Returns: The dictionary.
    @available(*, deprecated, message: "use json()")
    public func asDictionary() -> [String: Any] {
        // What is no JSON is an empty dictionary, as SwiftConnect has it.
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// Discards the response.
    @available(*, deprecated, message: "let ResponseObjectType be Void")
    public func asVoid() {}
}

extension JSONDecoder {
    /// Decodes one node of a document.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: The document.
    ///   - keyPath: Names with dots between them.
    /// - Returns: The value.
    /// - Throws: As `HTTPResponse.decoded(to:using:keyPath:)`.
    @available(*, deprecated, message: "use HTTPResponse.decoded(to:keyPath:)")
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        keyPath: String
    ) throws -> Value {
        let url = URL(fileURLWithPath: "/")
        return try HTTPResponse(request: URLRequest(url: url), url: url, status: .ok, body: data)
            .decoded(to: type, using: self, keyPath: keyPath)
    }
}
