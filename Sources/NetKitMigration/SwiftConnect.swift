public import Foundation
public import NetKit
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Names from SwiftConnect.

/// SwiftConnect's name for a call.
@available(*, deprecated, renamed: "RequestExecutionOperation")
public typealias DataTask<Value> = RequestExecutionOperation<AnyRequest>

/// SwiftConnect's client.
@available(*, deprecated, renamed: "Endpoint")
public struct Connect: Sendable {
    /// A client that uses each request's endpoint, or the default endpoint.
    public static let `default` = Connect()

    private let endpoint: Endpoint?

    /// Creates a client.
    ///
    /// - Parameter endpoint: The endpoint. Defaults to nil, which means each request's endpoint, or the default
    ///   endpoint. A ``ConnectRequest`` needs none.
    public init(_ endpoint: Endpoint? = nil) {
        self.endpoint = endpoint
    }

    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - request: The request, including its files.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func request(
        request: any Request,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        try await execute(task: makeDataTask(request: request), debugResponse: debugResponse)
    }

    /// Sends a multipart request and waits for the response.
    ///
    /// - Parameters:
    ///   - multipartRequest: The request.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func request(
        multipartRequest: any MultipartFormDataRequest,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        try await request(request: multipartRequest, debugResponse: debugResponse)
    }

    /// Starts a call.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call, which can be canceled.
    public func makeDataTask(request: any Request) -> RequestExecutionOperation<AnyRequest> {
        let request = AnyRequest(request)
        return endpoint.map { request.execute(on: $0) } ?? request.execute()
    }

    /// Starts a call with files.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call, which can be canceled.
    public func makeUploadTask(request: any Request) -> RequestExecutionOperation<AnyRequest> {
        makeDataTask(request: request)
    }

    /// Waits for the response of a call.
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func execute(
        task: RequestExecutionOperation<AnyRequest>,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        guard debugResponse else { return try await task.value }
        task.debugResponse()
        return try await withTaskCancellationHandler {
            // Unlike the value, the handlers wait for what is printed.
            try await withCheckedThrowingContinuation { continuation in
                task.onSuccess { continuation.resume(returning: $0) }
                    .onFail { continuation.resume(throwing: $0) }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels every call of the endpoint.
    ///
    /// Without an endpoint, these are the calls of the default endpoint, or of requests with their own base URL.
    public func cancelAllRequests() {
        (endpoint ?? Endpoint.default ?? .ofAddressedRequests)?.cancelAllRequests()
    }
}

// SwiftConnect's requests, which have a base URL of their own.

/// SwiftConnect's name for `Request`, as the type of any request.
///
/// A type that conforms to SwiftConnect's `Request` or `Requestable` conforms to ``ConnectRequest``.
@available(*, deprecated, renamed: "Request")
public typealias Requestable = Request

/// SwiftConnect's protocol for a request: a base URL, an endpoint and a method.
///
/// The request is sent to its own base URL. The endpoint of a ``Connect``, or the default endpoint, adds its credentials
/// and query only if it has the same origin.
@available(
    *,
    deprecated,
    message: "conform to Request: its endpoint has the base URL, its path is the endpoint"
)
public protocol ConnectRequest: Request
where ResponseObjectType == HTTPResponse, _Endpoint == Endpoint? {
    /// The http or https URL that the endpoint is appended to. With any other, the request is refused.
    var baseURL: URL { get }
    /// The path below the base URL, or an empty text for the base URL itself.
    var endpoint: String { get }
}

@available(*, deprecated)
extension ConnectRequest {
    /// The ``baseURL`` and the ``endpoint``, joined by one slash.
    public var path: String {
        let endpoint: String = endpoint
        // A fragment would end the path.
        var base = String(baseURL.absoluteString.prefix { $0 != "#" })
        guard ["http", "https"].contains(baseURL.scheme?.lowercased()),
            baseURL.host?.isEmpty == false
        else {
            // A URL without a host, so that the request isn't sent, and not to another endpoint's base URL either.
            return "http:///\(base)"
        }
        guard !endpoint.isEmpty else { return base }
        var query = ""
        if let mark = base.firstIndex(of: "?") {
            query = (endpoint.contains("?") ? "&" : "?") + base[base.index(after: mark)...]
            base = String(base[..<mark])
        }
        while base.hasSuffix("/") { base.removeLast() }
        return base + "/" + endpoint.drop { $0 == "/" } + query
    }

    /// A decoding that returns the response unchanged.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding { response, _ in response }
    }
}

/// SwiftConnect's protocol for a request with files.
///
/// The ``parameters``, or the members of an `@Object`, become text parts before the files. The method is POST by default.
@available(
    *,
    deprecated,
    message: "conform to MultipartFormDataRequest, with a path and [any MultipartFile]"
)
public protocol MultipartRequest: ConnectRequest, MultipartFormDataRequest {
    /// The type of ``parameters``: `[String: Any]`, or any other pairs with text keys.
    associatedtype TextParts: ExpressibleByDictionaryLiteral & Sequence = [String: any Sendable]
    where TextParts.Key == String, TextParts.Element == (key: String, value: TextParts.Value)
    /// The files, in sending order.
    var files: [File] { get }
    /// The text parts by name, which are sent sorted. Defaults to none.
    var parameters: TextParts { get }
}

@available(*, deprecated)
extension MultipartRequest where TextParts == [String: any Sendable] {
    /// No text parts.
    public var parameters: [String: any Sendable] { [:] }
}

@available(*, deprecated)
extension MultipartRequest {
    /// The ``parameters``, or nil if there are none.
    ///
    /// A value of a type that no parameter can have is sent as its description, as SwiftConnect does.
    public var body: RequestBody? {
        let members = parameters.map { ($0.key, $0.value as? any ParameterValue ?? "\($0.value)") }
        return members.isEmpty ? nil : .params(RequestBody.Parameters(members))
    }

    /// The ``files``, as NetKit sends them.
    public var files: [any MultipartFile] {
        let files: [File] = files
        return files.map { file in
            DefaultMultipartFile(
                resource: file.data,
                mime: file.mimeType,
                name: file.key,
                fileName: file.name
            )
        }
    }
}

/// SwiftConnect's file: bytes with a file name and the key of a form field.
@available(
    *,
    deprecated,
    message: "use DefaultMultipartFile(resource:mime:name:fileName:): key is name, name is fileName"
)
public struct File: Sendable {
    /// The file name sent to the server.
    public let name: String
    /// The name of the form field.
    public let key: String
    /// The media type of ``data``.
    public let mimeType: MimeType
    /// The contents.
    public let data: Data

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file name sent to the server.
    ///   - key: The name of the form field.
    ///   - mimeType: The media type of `data`.
    ///   - data: The contents of the file.
    public init(name: String, key: String, mimeType: MimeType, data: Data) {
        (self.name, self.key, self.mimeType, self.data) = (name, key, mimeType, data)
    }
}

/// SwiftConnect's name for `AuthToken`.
@available(*, deprecated, renamed: "AuthToken")
public typealias AuthorizationToken = AuthToken

/// SwiftConnect's protocol for requests with a credential.
@available(*, deprecated, message: "every Request has an authToken")
public protocol AuthorizedRequest: Request {
    /// The credential, or nil for none.
    @available(*, deprecated, renamed: "authToken")
    var authorizationToken: AuthToken? { get }
}

@available(*, deprecated)
extension AuthorizedRequest {
    /// The ``authorizationToken``.
    public var authToken: AuthToken? { authorizationToken }
    /// Whether there is an ``authorizationToken``: without one, the request is sent without any credential.
    public var isAuthenticated: Bool { authorizationToken != nil }
}

extension JSONDecoder {
    /// A decoder for snake case keys.
    @available(*, deprecated, renamed: "snakeCase")
    public static var snakeCaseDecoder: JSONDecoder { .snakeCase }
}

extension JSONEncoder {
    /// An encoder that writes snake case keys.
    @available(*, deprecated, renamed: "snakeCase")
    public static var snakeCaseEncoder: JSONEncoder { .snakeCase }
}

extension HTTPResponse {
    /// Decodes the body, or the value at a key path in it.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. Defaults to a plain `JSONDecoder`.
    ///   - keyPath: The names on the path, separated by dots. Defaults to an empty path, the whole body.
    /// - Returns: The value.
    /// - Throws: The errors of ``decoded(to:using:keyPath:)``.
    @available(*, deprecated, renamed: "decoded(to:using:keyPath:)")
    public func decoded<Value: Decodable>(
        toType type: Value.Type,
        using decoder: JSONDecoder = JSONDecoder(),
        keyPath: String = ""
    ) throws -> Value {
        try decoded(to: type, using: decoder, keyPath: keyPath)
    }

    /// Decodes the value at a key path in the body.
    ///
    /// - Parameters:
    ///   - key: The names on the path, separated by dots.
    ///   - type: The type to decode.
    /// - Returns: The value.
    /// - Throws: The errors of ``decoded(to:using:keyPath:)``.
    @available(*, deprecated, message: "use decoded(to:keyPath:)")
    public func get<Value: Decodable>(key: String, ofType type: Value.Type) throws -> Value {
        try decoded(to: type, keyPath: key)
    }

    /// Returns the body as text.
    ///
    /// - Returns: The text, decoded with the response's charset.
    @available(*, deprecated, renamed: "text")
    public func asString() -> String { text }

    /// The body as bytes.
    @available(*, deprecated, renamed: "body")
    public var data: Data { body }
}

extension AuthToken {
    /// Creates a bearer token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The credential.
    @available(*, deprecated, renamed: "bearer(_:)")
    public static func bearer(token: String) -> AuthToken { .bearer(token) }
}

extension PathEncoding {
    /// The format `{key}`.
    @available(*, deprecated, message: "it is the default")
    public static var `default`: PathEncoding { PathEncoding(pattern: "{key}") }
}

extension URLEncoding {
    /// The destination of a parameter.
    ///
    /// NetKit's `@Query` always uses the query.
    @available(*, deprecated, message: "@Query is the query, @Object(encoding: .form()) the body")
    public enum Destination: Hashable, Sendable {
        /// The query.
        case queryString
        /// The form in the body.
        case httpBody
        /// The query of a GET, HEAD or DELETE request, and the form in the body of any other.
        case methodDependent
    }

    /// The format of an array.
    @available(*, deprecated, renamed: "Arrays")
    public enum ArrayEncoding: Hashable, Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case noBrackets
        /// `key[0]=1&key[1]=2`
        case indexInBrackets
    }

    /// The format of a Boolean.
    @available(*, deprecated, renamed: "Booleans")
    public enum BoolEncoding: Hashable, Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// Alamofire's default: brackets for arrays, and numeric Booleans.
    @available(*, deprecated, message: "use URLEncoding(), whose Booleans are literal")
    public static var `default`: URLEncoding { URLEncoding(booleans: .numeric) }

    /// Creates an encoding with SwiftConnect's parameters and destination.
    ///
    /// - Parameters:
    ///   - destination: The destination of an `@Object`.
    ///   - arrayEncoding: The format of an array. Defaults to brackets.
    ///   - boolEncoding: The format of a Boolean. Defaults to numeric.
    @available(*, deprecated, renamed: "init(arrays:booleans:)")
    public init(
        destination: Destination,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.init(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
        isForQuery =
            switch destination {
            case .queryString: true
            case .httpBody: false
            case .methodDependent: nil
            }
    }

    /// Creates an encoding with SwiftConnect's parameters.
    ///
    /// - Parameters:
    ///   - arrayEncoding: The format of an array.
    ///   - boolEncoding: The format of a Boolean. Defaults to numeric.
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

/// SwiftConnect's encoding of an object as JSON.
@available(*, deprecated, message: "use ParameterEncoding.json")
public enum JSONEncoding {
    /// A JSON body.
    public static var `default`: ParameterEncoding { .json }
}

extension Object {
    /// Creates an object that is sent as SwiftConnect does: `@Object(encoding: URLEncoding.default)`.
    ///
    /// It is the query of a GET, HEAD or DELETE request, and the form in the body of any other, unless the encoding has
    /// another destination, as in `URLEncoding(destination: .httpBody)`.
    ///
    /// - Parameters:
    ///   - encoder: The encoder for the object. Defaults to a plain `JSONEncoder`.
    ///   - encoding: The format of arrays and Booleans.
    @available(*, deprecated, message: "use @Object(encoding: .query()) or .form()")
    public init(encoder: JSONEncoder = JSONEncoder(), encoding: URLEncoding) {
        self.init(
            encoder: encoder,
            encoding: encoding.isForQuery == true ? .query(encoding) : .form(encoding)
        )
        followsMethod = encoding.isForQuery == nil
    }
}

/// Media types with SwiftConnect's names.
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

extension HTTPResponse {
    /// Decodes the value at a key path, if it is present and not `null`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. Defaults to a plain `JSONDecoder`.
    ///   - keyPath: The names on the path, separated by dots. Defaults to an empty path, the whole body.
    /// - Returns: The value, or nil.
    /// - Throws: The errors of `decoded(to:using:keyPath:)`, except for a missing node.
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

    /// Returns the body as a dictionary, empty if it isn't a JSON object.
    ///
    /// - Returns: The dictionary.
    @available(*, deprecated, message: "use json()")
    public func asDictionary() -> [String: Any] {
        // Like SwiftConnect, return an empty dictionary for invalid JSON.
        let text = try? JSONText.decodable(body, by: JSONDecoder())
        return text.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any] ?? [:]
    }

    /// Discards the response.
    @available(*, deprecated, message: "let ResponseObjectType be Void")
    public func asVoid() {}
}

extension JSONDecoder {
    /// Decodes the value at a key path in a document.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: The document.
    ///   - keyPath: The names on the path, separated by dots.
    /// - Returns: The value.
    /// - Throws: The errors of `HTTPResponse.decoded(to:using:keyPath:)`.
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
