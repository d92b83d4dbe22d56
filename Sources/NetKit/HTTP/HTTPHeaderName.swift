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
    public init(_ name: String) { folded = FoldedName(name) }
}

/// An alternative name for ``HTTPHeaderName``.
public typealias RequestHeaderKey = HTTPHeaderName

extension HTTPHeaderName: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) { self.init(value) }
}

extension HTTPHeaderName: Described {
    /// The name in its original spelling.
    package var shown: String { rawName }
}

/// Names of common fields.
///
/// Use a string literal for any other, such as `"X-Request-ID"`.
extension HTTPHeaderName {
    /// `Accept`: the media types that the client accepts.
    public static let accept: HTTPHeaderName = "Accept"
    /// `Accept-Encoding`: the content encodings that the client accepts.
    public static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    /// `Accept-Language`: the languages that the client prefers.
    public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
    /// `Accept-Ranges`: the range units that the server supports.
    public static let acceptRanges: HTTPHeaderName = "Accept-Ranges"
    /// `Age`: the seconds since a cached response was generated or validated.
    public static let age: HTTPHeaderName = "Age"
    /// `Allow`: the methods that the resource supports.
    public static let allow: HTTPHeaderName = "Allow"
    /// `Authorization`: the client's credentials.
    public static let authorization: HTTPHeaderName = "Authorization"
    /// `Cache-Control`: directives for caches.
    public static let cacheControl: HTTPHeaderName = "Cache-Control"
    /// `Connection`: options for this connection only.
    public static let connection: HTTPHeaderName = "Connection"
    /// `Content-Disposition`: the suggested file name of the content.
    public static let contentDisposition: HTTPHeaderName = "Content-Disposition"
    /// `Content-Encoding`: the encoding of the content, such as compression.
    public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
    /// `Content-Language`: the languages of the content's audience.
    public static let contentLanguage: HTTPHeaderName = "Content-Language"
    /// `Content-Length`: the length of the content in bytes.
    public static let contentLength: HTTPHeaderName = "Content-Length"
    /// `Content-Location`: the URL of the representation in the content.
    public static let contentLocation: HTTPHeaderName = "Content-Location"
    /// `Content-Range`: the part of the representation in the content.
    public static let contentRange: HTTPHeaderName = "Content-Range"
    /// `Content-Type`: the media type of the content.
    public static let contentType: HTTPHeaderName = "Content-Type"
    /// `Cookie`: the client's cookies.
    public static let cookie: HTTPHeaderName = "Cookie"
    /// `Date`: the time when the message was generated.
    public static let date: HTTPHeaderName = "Date"
    /// `ETag`: the version of the representation.
    public static let eTag: HTTPHeaderName = "ETag"
    /// `Expect`: what the client expects of the server, such as `100-continue`.
    public static let expect: HTTPHeaderName = "Expect"
    /// `Expires`: the time after which the response is stale.
    public static let expires: HTTPHeaderName = "Expires"
    /// `Host`: the authority of the request.
    public static let host: HTTPHeaderName = "Host"
    /// `Idempotency-Key`: an identifier that distinguishes a repeated request from a new one.
    public static let idempotencyKey: HTTPHeaderName = "Idempotency-Key"
    /// `If-Match`: a condition that requires one of the given versions.
    public static let ifMatch: HTTPHeaderName = "If-Match"
    /// `If-Modified-Since`: a condition that requires a change after a date.
    public static let ifModifiedSince: HTTPHeaderName = "If-Modified-Since"
    /// `If-None-Match`: a condition that excludes the given versions.
    public static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
    /// `If-Range`: the version of which the client wants a part.
    public static let ifRange: HTTPHeaderName = "If-Range"
    /// `If-Unmodified-Since`: a condition that excludes a change after a date.
    public static let ifUnmodifiedSince: HTTPHeaderName = "If-Unmodified-Since"
    /// `Last-Modified`: the date of the representation's last change.
    public static let lastModified: HTTPHeaderName = "Last-Modified"
    /// `Link`: links to other resources.
    public static let link: HTTPHeaderName = "Link"
    /// `Location`: the target of a redirect, or the URL of a new resource.
    public static let location: HTTPHeaderName = "Location"
    /// `Origin`: the origin that caused the request.
    public static let origin: HTTPHeaderName = "Origin"
    /// `Proxy-Authenticate`: the authentication schemes that the proxy accepts.
    public static let proxyAuthenticate: HTTPHeaderName = "Proxy-Authenticate"
    /// `Proxy-Authorization`: the client's credentials for the proxy.
    public static let proxyAuthorization: HTTPHeaderName = "Proxy-Authorization"
    /// `Range`: the requested part of the representation.
    public static let range: HTTPHeaderName = "Range"
    /// `Referer`: the resource that led to the request.
    public static let referer: HTTPHeaderName = "Referer"
    /// `Retry-After`: the earliest time for a retry.
    public static let retryAfter: HTTPHeaderName = "Retry-After"
    /// `Server`: the server software.
    public static let server: HTTPHeaderName = "Server"
    /// `Set-Cookie`: a cookie for the client to store.
    public static let setCookie: HTTPHeaderName = "Set-Cookie"
    /// `TE`: the transfer codings that the client accepts, and whether it accepts trailers.
    public static let te: HTTPHeaderName = "TE"
    /// `Trailer`: the names of the fields that follow the content.
    public static let trailer: HTTPHeaderName = "Trailer"
    /// `Transfer-Encoding`: the codings of the message's framing.
    public static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
    /// `Upgrade`: the protocols that the sender proposes.
    public static let upgrade: HTTPHeaderName = "Upgrade"
    /// `User-Agent`: the client software.
    public static let userAgent: HTTPHeaderName = "User-Agent"
    /// `Vary`: the request's fields on which the response depends.
    public static let vary: HTTPHeaderName = "Vary"
    /// `Via`: the intermediaries that forwarded the message.
    public static let via: HTTPHeaderName = "Via"
    /// `WWW-Authenticate`: the authentication schemes that the server accepts.
    public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

// Names of fields that NetKit reads or writes internally (RFC 9530).
extension HTTPHeaderName {
    static let reprDigest: HTTPHeaderName = "Repr-Digest"
    static let wantReprDigest: HTTPHeaderName = "Want-Repr-Digest"
}
