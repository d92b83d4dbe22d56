public import Dispatch
public import Foundation
public import NetKit
import NetKitSupport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names from NerdzNetworking.

/// NerdzNetworking's converter protocol, with a single required method.
@available(*, deprecated, renamed: "ResponseJSONConverter")
public protocol ResponseJsonConverter: ResponseJSONConverter {
    /// Converts parsed JSON before it is decoded.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error. The call then fails with a decoding error.
    @available(*, deprecated, renamed: "convertedJSON(from:)")
    func convertedJson(from json: Any) throws -> Any
}

@available(*, deprecated)
extension ResponseJsonConverter {
    /// Calls ``convertedJson(from:)``.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error that the method throws.
    public func convertedJSON(from json: Any) throws -> Any { try convertedJson(from: json) }
}

@available(*, deprecated)
extension KeyPathResponseConverter: ResponseJsonConverter {
    /// Calls `convertedJSON(from:)`.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The value at the path.
    /// - Throws: The errors of `convertedJSON(from:)`.
    public func convertedJson(from json: Any) throws -> Any { try convertedJSON(from: json) }
}

@available(*, deprecated)
extension ClosureResponseConverter: ResponseJsonConverter {
    /// Calls `convertedJSON(from:)`.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that the closure throws.
    public func convertedJson(from json: Any) throws -> Any { try convertedJSON(from: json) }
}

extension ObservationManager {
    /// Registers an observer for calls of one type of request.
    ///
    /// - Parameter observer: A closure that receives the request, and its value or its error.
    /// - Returns: The token for `unregister(_:)`.
    @available(*, deprecated, message: "use register(for: R.self) { request, result in }")
    @discardableResult
    public func register<R: Request>(
        _ observer:
            @escaping @Sendable (R, R.ResponseObjectType?, ErrorResponse<R.ErrorType>?) -> Void
    ) -> Token {
        register(for: R.self) { request, result in
            switch result {
            case .success(let value): observer(request, value, nil)
            case .failure(let error): observer(request, nil, error)
            }
        }
    }

    /// Removes an observer.
    ///
    /// - Parameter token: The token of its registration.
    @available(*, deprecated, renamed: "unregister(_:)")
    public func unregisterObserver(with token: Token) { unregister(token) }
}

/// NerdzNetworking's name for `MultipartResourceConvertible`.
@available(*, deprecated, renamed: "MultipartResourceConvertible")
public typealias MultipartResourceConvertable = MultipartResourceConvertible

/// NerdzNetworking's name for `HTTPStatus`.
@available(*, deprecated, renamed: "HTTPStatus")
public typealias StatusCode = HTTPStatus

extension HTTPMethod {
    /// `PATCH`, with the spelling in NerdzNetworking's documentation.
    @available(*, deprecated, renamed: "patch")
    public static var path: HTTPMethod { .patch }
}

extension Endpoint {
    /// The base URL, which paths are appended to.
    @available(*, deprecated, renamed: "baseURL")
    public var baseUrl: URL { baseURL }

    /// Creates an endpoint with a separate `URLSession`.
    ///
    /// - Parameters:
    ///   - baseUrl: The base URL, which paths are appended to.
    ///   - decoder: The decoder for requests without a decoder. Defaults to nil.
    ///   - responseQueue: The queue for handlers without a queue. Defaults to nil.
    ///   - sessionConfiguration: The session's configuration. Defaults to `.default`.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to that of
    ///     `RetryPolicy.standard`.
    ///   - headers: Header fields of every request that doesn't override them. Defaults to none.
    @available(
        *,
        deprecated,
        renamed: "init(baseURL:decoder:responseQueue:sessionConfiguration:retryingCount:headers:)"
    )
    public convenience init(
        baseUrl: URL,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            baseURL: baseUrl,
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers
        )
    }

    /// Sends a request and waits for its value.
    ///
    /// - Parameter request: The request.
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, renamed: "value(for:)")
    public func asyncExecute<R: Request>(
        _ request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await value(for: request)
    }
}

extension Request {
    /// Sends the request to its endpoint, or the default endpoint, and waits for its value.
    ///
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, message: "use execute().value")
    public func asyncExecute() async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await execute().value
    }

    /// Sends the request to an endpoint and waits for its value.
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, message: "use endpoint.value(for:)")
    public func asyncExecute(
        on endpoint: Endpoint
    ) async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await endpoint.value(for: self)
    }
}

extension AuthToken {
    /// Creates a credential from the value of an `Authorization` field.
    ///
    /// - Parameter authorization: The value, including its scheme. The result is nil for an empty value.
    @available(*, deprecated, message: "set the field, and read HTTPHeaders.authToken")
    public init?(_ authorization: String) {
        let fields: HTTPHeaders = [.authorization: authorization]
        guard let token = fields.authToken else { return nil }
        self = token
    }
}

extension MimeType {
    /// The same text as `rawValue`.
    @available(*, deprecated, renamed: "rawValue")
    public var value: String { rawValue }
}

extension DefaultRequest where Response: Decodable {
    /// Creates a request to an absolute URL.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, including its query.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - body: The request body. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:), which takes an absolute URL")
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

extension DefaultRequest where Response == Void {
    /// Creates a request to an absolute URL that ignores the response body.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, including its query.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - body: The request body. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:), which takes an absolute URL")
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

// Names of NerdzNetworking's header keys, status codes and media types that NetKit doesn't define.

@available(*, deprecated, message: "write the field's name as a literal")
extension HTTPHeaderName {
    /// `Accept-Charset`.
    public static let acceptCharset: HTTPHeaderName = "Accept-Charset"
    /// `Alternates`.
    public static let alternates: HTTPHeaderName = "Alternates"
    /// `Content-Version`.
    public static let contentVersion: HTTPHeaderName = "Content-Version"
    /// `Derived-From`.
    public static let derivedFrom: HTTPHeaderName = "Derived-From"
    /// `From`.
    public static let from: HTTPHeaderName = "From"
    /// `Max-Forwards`.
    public static let maxForwards: HTTPHeaderName = "Max-Forwards"
    /// `MIME-Version`.
    public static let mimeVersion: HTTPHeaderName = "MIME-Version"
    /// `Pragma`.
    public static let pragma: HTTPHeaderName = "Pragma"
    /// `Public`.
    public static let `public`: HTTPHeaderName = "Public"
    /// `Title`.
    public static let title: HTTPHeaderName = "Title"
    /// `Warning`.
    public static let warning: HTTPHeaderName = "Warning"
}

@available(*, deprecated, message: "write the number as a literal")
extension HTTPStatus {
    /// 100 Continue.
    public static let `continue`: HTTPStatus = 100
    /// 101 Switching Protocols.
    public static let switchingProtocol: HTTPStatus = 101
    /// 102 Processing.
    public static let processing: HTTPStatus = 102
    /// 103 Early Hints.
    public static let earlyHints: HTTPStatus = 103
    /// 203 Non-Authoritative Information.
    public static let nonAuthoritative: HTTPStatus = 203
    /// 205 Reset Content.
    public static let resetContent: HTTPStatus = 205
    /// 206 Partial Content.
    public static let partialContent: HTTPStatus = 206
    /// 207 Multi-Status.
    public static let multiStatus: HTTPStatus = 207
    /// 208 Already Reported.
    public static let alreadyReported: HTTPStatus = 208
    /// 226 IM Used.
    public static let imUsed: HTTPStatus = 226
    /// 300 Multiple Choices.
    public static let multipleChoice: HTTPStatus = 300
    /// 301 Moved Permanently.
    public static let movedPermanently: HTTPStatus = 301
    /// 302 Found.
    public static let found: HTTPStatus = 302
    /// 303 See Other.
    public static let seeOther: HTTPStatus = 303
    /// 307 Temporary Redirect.
    public static let temporaryRedirect: HTTPStatus = 307
    /// 308 Permanent Redirect.
    public static let permanentRedirect: HTTPStatus = 308
    /// 305 Use Proxy.
    public static let useProxy: HTTPStatus = 305
    /// 402 Payment Required.
    public static let paymentRequired: HTTPStatus = 402
    /// 405 Method Not Allowed.
    public static let methodNotAllowed: HTTPStatus = 405
    /// 406 Not Acceptable.
    public static let notAcceptable: HTTPStatus = 406
    /// 407 Proxy Authentication Required.
    public static let proxyAuthenticationRequired: HTTPStatus = 407
    /// 408 Request Timeout.
    public static let requestTimeout: HTTPStatus = 408
    /// 409 Conflict.
    public static let conflict: HTTPStatus = 409
    /// 410 Gone.
    public static let gone: HTTPStatus = 410
    /// 411 Length Required.
    public static let lengthRequired: HTTPStatus = 411
    /// 412 Precondition Failed.
    public static let preconditionFailed: HTTPStatus = 412
    /// 413 Content Too Large.
    public static let payloadTooLarge: HTTPStatus = 413
    /// 414 URI Too Long.
    public static let uriTooLong: HTTPStatus = 414
    /// 415 Unsupported Media Type.
    public static let unsupportedMediaType: HTTPStatus = 415
    /// 416 Range Not Satisfiable.
    public static let rangeNotSatisfiable: HTTPStatus = 416
    /// 417 Expectation Failed.
    public static let expectationFailed: HTTPStatus = 417
    /// 421 Misdirected Request.
    public static let misdirectedRequest: HTTPStatus = 421
    /// 422 Unprocessable Content.
    public static let unprocessableEntity: HTTPStatus = 422
    /// 423 Locked.
    public static let locked: HTTPStatus = 423
    /// 424 Failed Dependency.
    public static let failedDependency: HTTPStatus = 424
    /// 425 Too Early.
    public static let tooEasy: HTTPStatus = 425
    /// 426 Upgrade Required.
    public static let upgradeRequired: HTTPStatus = 426
    /// 428 Precondition Required.
    public static let preconditionRequired: HTTPStatus = 428
    /// 431 Request Header Fields Too Large.
    public static let requestHeaderFieldsTooLarge: HTTPStatus = 431
    /// 451 Unavailable For Legal Reasons.
    public static let unavailableForLargeReasons: HTTPStatus = 451
    /// 501 Not Implemented.
    public static let notImplemented: HTTPStatus = 501
    /// 502 Bad Gateway.
    public static let badGateway: HTTPStatus = 502
    /// 504 Gateway Timeout.
    public static let gatewayTimeout: HTTPStatus = 504
    /// 505 HTTP Version Not Supported.
    public static let httpVersionNotSupported: HTTPStatus = 505
    /// 506 Variant Also Negotiates.
    public static let variantAlsoNegotiates: HTTPStatus = 506
    /// 507 Insufficient Storage.
    public static let insufficientStorage: HTTPStatus = 507
    /// 508 Loop Detected.
    public static let loopDetected: HTTPStatus = 508
    /// 510 Not Extended.
    public static let notExtended: HTTPStatus = 510
    /// 511 Network Authentication Required.
    public static let networkAuthenticationRequired: HTTPStatus = 511
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Application {
    /// `application/xml`.
    public static let xml = Self(rawValue: "xml")
    /// `application/zip`.
    public static let zip = Self(rawValue: "zip")
    /// `application/gzip`.
    public static let gzip = Self(rawValue: "gzip")
    /// `application/javascript`.
    public static let javascript = Self(rawValue: "javascript")
    /// `application/octet-stream`.
    public static let octet_stream = Self(rawValue: "octet-stream")
    /// `application/x-www-form-urlencoded`.
    public static let x_www_form_urlencoded = Self(rawValue: "x-www-form-urlencoded")
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Image {
    /// `image/gif`.
    public static let gif = Self(rawValue: "gif")
    /// `image/webp`.
    public static let webp = Self(rawValue: "webp")
    /// `image/svg+xml`.
    public static let svg_xml = Self(rawValue: "svg+xml")
    /// `image/tiff`.
    public static let tiff = Self(rawValue: "tiff")
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Multipart {
    /// `multipart/form-data`.
    public static let formData = Self(rawValue: "form-data")
    /// `multipart/mixed`.
    public static let mixed = Self(rawValue: "mixed")
    /// `multipart/form-data`.
    public static let form_data = Self(rawValue: "form-data")
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Text {
    /// `text/csv`.
    public static let csv = Self(rawValue: "csv")
    /// `text/html`.
    public static let html = Self(rawValue: "html")
    /// `text/css`.
    public static let css = Self(rawValue: "css")
    /// `text/markdown`.
    public static let markdown = Self(rawValue: "markdown")
    /// `text/xml`.
    public static let xml = Self(rawValue: "xml")
}

/// Media types of audio that NerdzNetworking has and ``MimeType`` lacks.
@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Audio {
    /// `audio/aac`.
    public static let aac = Self(rawValue: "aac")
    /// `audio/mpeg`.
    public static let mpeg = Self(rawValue: "mpeg")
    /// `audio/ogg`.
    public static let ogg = Self(rawValue: "ogg")
}

/// Media types of video that NerdzNetworking has and ``MimeType`` lacks.
@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Video {
    /// `video/mpeg`.
    public static let mpeg = Self(rawValue: "mpeg")
    /// `video/quicktime`.
    public static let quicktime = Self(rawValue: "quicktime")
    /// `video/webm`.
    public static let webm = Self(rawValue: "webm")
}
