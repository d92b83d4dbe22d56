package import NetKitSupport

/// The name of a header field (RFC 9110, section 5.1).
///
/// Names that differ only in the case of ASCII letters are equal. A name keeps its original spelling. It is validated
/// when a request is encoded.
public struct HTTPHeaderName: Hashable, Sendable {
    package let folded: FoldedName

    /// The name in its original spelling, in which it is sent.
    public var rawName: String { folded.text }

    /// Creates a name.
    ///
    /// - Parameter name: The name, such as `X-Request-ID`.
    public init(_ name: String) {
        folded = FoldedName(name)
    }
}

/// An alternative name for ``HTTPHeaderName``.
public typealias RequestHeaderKey = HTTPHeaderName

extension HTTPHeaderName: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension HTTPHeaderName: Described {
    /// The name in its original spelling.
    package var shown: String { rawName }
}

/// Names of common header fields.
///
/// Use a string literal for any other, such as `"Via"`.
extension HTTPHeaderName {
    /// `Accept`: the media types that the client accepts.
    public static let accept: HTTPHeaderName = "Accept"
    /// `Accept-Language`: the languages that the client prefers.
    public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
    /// `Authorization`: the client's credentials.
    public static let authorization: HTTPHeaderName = "Authorization"
    /// `Cache-Control`: directives for caches.
    public static let cacheControl: HTTPHeaderName = "Cache-Control"
    /// `Content-Encoding`: the encoding of the content, such as compression.
    public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
    /// `Content-Length`: the length of the content in bytes.
    public static let contentLength: HTTPHeaderName = "Content-Length"
    /// `Content-Type`: the media type of the content.
    public static let contentType: HTTPHeaderName = "Content-Type"
    /// `Cookie`: the client's cookies.
    public static let cookie: HTTPHeaderName = "Cookie"
    /// `ETag`: the version of the representation.
    public static let eTag: HTTPHeaderName = "ETag"
    /// `Idempotency-Key`: an identifier that distinguishes a repeated request from a new one.
    public static let idempotencyKey: HTTPHeaderName = "Idempotency-Key"
    /// `If-Match`: a condition that requires one of the given versions.
    public static let ifMatch: HTTPHeaderName = "If-Match"
    /// `If-Modified-Since`: a condition that requires a change after a date.
    public static let ifModifiedSince: HTTPHeaderName = "If-Modified-Since"
    /// `If-None-Match`: a condition that excludes the given versions.
    public static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
    /// `Last-Modified`: the date of the representation's last change.
    public static let lastModified: HTTPHeaderName = "Last-Modified"
    /// `Link`: links to other resources.
    public static let link: HTTPHeaderName = "Link"
    /// `Location`: the target of a redirect, or the URL of a new resource.
    public static let location: HTTPHeaderName = "Location"
    /// `Range`: the requested part of the representation.
    public static let range: HTTPHeaderName = "Range"
    /// `Retry-After`: the earliest time for a retry.
    public static let retryAfter: HTTPHeaderName = "Retry-After"
    /// `Set-Cookie`: a cookie for the client to store.
    public static let setCookie: HTTPHeaderName = "Set-Cookie"
    /// `User-Agent`: the client software.
    public static let userAgent: HTTPHeaderName = "User-Agent"
    /// `WWW-Authenticate`: the authentication schemes that the server accepts.
    public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

// Names of fields that NetKit reads or writes internally.
extension HTTPHeaderName {
    package static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    static let acceptRanges: HTTPHeaderName = "Accept-Ranges"
    package static let age: HTTPHeaderName = "Age"
    package static let connection: HTTPHeaderName = "Connection"
    static let contentLanguage: HTTPHeaderName = "Content-Language"
    package static let contentLocation: HTTPHeaderName = "Content-Location"
    package static let contentRange: HTTPHeaderName = "Content-Range"
    package static let date: HTTPHeaderName = "Date"
    package static let expires: HTTPHeaderName = "Expires"
    static let host: HTTPHeaderName = "Host"
    package static let ifRange: HTTPHeaderName = "If-Range"
    package static let proxyAuthorization: HTTPHeaderName = "Proxy-Authorization"
    static let reprDigest: HTTPHeaderName = "Repr-Digest"
    package static let te: HTTPHeaderName = "TE"
    static let trailer: HTTPHeaderName = "Trailer"
    package static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
    package static let upgrade: HTTPHeaderName = "Upgrade"
    static let wantReprDigest: HTTPHeaderName = "Want-Repr-Digest"
}
