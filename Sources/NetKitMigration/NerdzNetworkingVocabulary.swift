public import NetKit

// Names of NerdzNetworking's header keys, status codes and media types that NetKit doesn't define.

@available(*, deprecated, message: "write the field's name as a literal")
extension HTTPHeaderName {
    /// `Accept-Charset`.
    public static let acceptCharset: HTTPHeaderName = "Accept-Charset"
    /// `Accept-Encoding`.
    public static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    /// `Accept-Ranges`.
    public static let acceptRanges: HTTPHeaderName = "Accept-Ranges"
    /// `Age`.
    public static let age: HTTPHeaderName = "Age"
    /// `Allow`.
    public static let allow: HTTPHeaderName = "Allow"
    /// `Alternates`.
    public static let alternates: HTTPHeaderName = "Alternates"
    /// `Connection`.
    public static let connection: HTTPHeaderName = "Connection"
    /// `Content-Location`.
    public static let contentLocation: HTTPHeaderName = "Content-Location"
    /// `Content-Range`.
    public static let contentRange: HTTPHeaderName = "Content-Range"
    /// `Content-Version`.
    public static let contentVersion: HTTPHeaderName = "Content-Version"
    /// `Date`.
    public static let date: HTTPHeaderName = "Date"
    /// `Derived-From`.
    public static let derivedFrom: HTTPHeaderName = "Derived-From"
    /// `Expect`.
    public static let expect: HTTPHeaderName = "Expect"
    /// `Expires`.
    public static let expires: HTTPHeaderName = "Expires"
    /// `From`.
    public static let from: HTTPHeaderName = "From"
    /// `Host`.
    public static let host: HTTPHeaderName = "Host"
    /// `If-Range`.
    public static let ifRange: HTTPHeaderName = "If-Range"
    /// `If-Unmodified-Since`.
    public static let ifUnmodifiedSince: HTTPHeaderName = "If-Unmodified-Since"
    /// `Max-Forwards`.
    public static let maxForwards: HTTPHeaderName = "Max-Forwards"
    /// `MIME-Version`.
    public static let mimeVersion: HTTPHeaderName = "MIME-Version"
    /// `Pragma`.
    public static let pragma: HTTPHeaderName = "Pragma"
    /// `Proxy-Authenticate`.
    public static let proxyAuthenticate: HTTPHeaderName = "Proxy-Authenticate"
    /// `Proxy-Authorization`.
    public static let proxyAuthorization: HTTPHeaderName = "Proxy-Authorization"
    /// `Public`.
    public static let `public`: HTTPHeaderName = "Public"
    /// `Server`.
    public static let server: HTTPHeaderName = "Server"
    /// `Title`.
    public static let title: HTTPHeaderName = "Title"
    /// `TE`.
    public static let te: HTTPHeaderName = "TE"
    /// `Trailer`.
    public static let trailer: HTTPHeaderName = "Trailer"
    /// `Transfer-Encoding`.
    public static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
    /// `Upgrade`.
    public static let upgrade: HTTPHeaderName = "Upgrade"
    /// `Vary`.
    public static let vary: HTTPHeaderName = "Vary"
    /// `Via`.
    public static let via: HTTPHeaderName = "Via"
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
    /// 426 Upgrade Required.
    public static let upgradeRequired: HTTPStatus = 426
    /// 428 Precondition Required.
    public static let preconditionRequired: HTTPStatus = 428
    /// 431 Request Header Fields Too Large.
    public static let requestHeaderFieldsTooLarge: HTTPStatus = 431
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
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Image {
    /// `image/gif`.
    public static let gif = Self(rawValue: "gif")
    /// `image/webp`.
    public static let webp = Self(rawValue: "webp")
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Multipart {
    /// `multipart/form-data`.
    public static let formData = Self(rawValue: "form-data")
    /// `multipart/mixed`.
    public static let mixed = Self(rawValue: "mixed")
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Text {
    /// `text/csv`.
    public static let csv = Self(rawValue: "csv")
    /// `text/html`.
    public static let html = Self(rawValue: "html")
}
