/// The names of common fields. Any other is a literal: `"Via"`.
extension HTTPHeaderName {
    /// `Accept`: which media types the client takes.
    public static let accept: HTTPHeaderName = "Accept"
    /// `Accept-Language`: which languages the client prefers.
    public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
    /// `Authorization`: the client's credentials.
    public static let authorization: HTTPHeaderName = "Authorization"
    /// `Cache-Control`: what caches may do.
    public static let cacheControl: HTTPHeaderName = "Cache-Control"
    /// `Content-Disposition`: how the content is to be presented.
    public static let contentDisposition: HTTPHeaderName = "Content-Disposition"
    /// `Content-Encoding`: how the content is coded.
    public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
    /// `Content-Length`: the length of the content in bytes.
    public static let contentLength: HTTPHeaderName = "Content-Length"
    /// `Content-Type`: the media type of the content.
    public static let contentType: HTTPHeaderName = "Content-Type"
    /// `Cookie`: the client's cookies.
    public static let cookie: HTTPHeaderName = "Cookie"
    /// `ETag`: the version of the representation.
    public static let eTag: HTTPHeaderName = "ETag"
    /// `Idempotency-Key`: what tells a repeated request from a new one.
    public static let idempotencyKey: HTTPHeaderName = "Idempotency-Key"
    /// `If-Match`: do it only for one of these versions.
    public static let ifMatch: HTTPHeaderName = "If-Match"
    /// `If-Modified-Since`: answer only if it changed since.
    public static let ifModifiedSince: HTTPHeaderName = "If-Modified-Since"
    /// `If-None-Match`: do it only for none of these versions.
    public static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
    /// `Last-Modified`: when the representation last changed.
    public static let lastModified: HTTPHeaderName = "Last-Modified"
    /// `Link`: links to other resources.
    public static let link: HTTPHeaderName = "Link"
    /// `Location`: where to go instead.
    public static let location: HTTPHeaderName = "Location"
    /// `Range`: which part is asked for.
    public static let range: HTTPHeaderName = "Range"
    /// `Referer`: where the client found the URL.
    public static let referer: HTTPHeaderName = "Referer"
    /// `Retry-After`: when to come back.
    public static let retryAfter: HTTPHeaderName = "Retry-After"
    /// `Set-Cookie`: a cookie for the client to keep.
    public static let setCookie: HTTPHeaderName = "Set-Cookie"
    /// `User-Agent`: what software asks.
    public static let userAgent: HTTPHeaderName = "User-Agent"
    /// `WWW-Authenticate`: how to authenticate.
    public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

// The names of fields that NetKit reads or writes itself.
extension HTTPHeaderName {
    static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    static let acceptRanges: HTTPHeaderName = "Accept-Ranges"
    static let age: HTTPHeaderName = "Age"
    static let connection: HTTPHeaderName = "Connection"
    static let contentLanguage: HTTPHeaderName = "Content-Language"
    static let contentLocation: HTTPHeaderName = "Content-Location"
    static let contentRange: HTTPHeaderName = "Content-Range"
    static let date: HTTPHeaderName = "Date"
    static let expires: HTTPHeaderName = "Expires"
    static let host: HTTPHeaderName = "Host"
    static let ifRange: HTTPHeaderName = "If-Range"
    static let ifUnmodifiedSince: HTTPHeaderName = "If-Unmodified-Since"
    static let pragma: HTTPHeaderName = "Pragma"
    static let proxyAuthorization: HTTPHeaderName = "Proxy-Authorization"
    static let reprDigest: HTTPHeaderName = "Repr-Digest"
    static let te: HTTPHeaderName = "TE"
    static let trailer: HTTPHeaderName = "Trailer"
    static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
    static let upgrade: HTTPHeaderName = "Upgrade"
    static let vary: HTTPHeaderName = "Vary"
    static let wantReprDigest: HTTPHeaderName = "Want-Repr-Digest"
}
