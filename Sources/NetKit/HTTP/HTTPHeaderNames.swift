/// The names of registered fields, and of a few that everybody uses.
extension HTTPHeaderName {
    /// `Accept`: which media types the client takes.
    public static let accept: HTTPHeaderName = "Accept"
    /// `Accept-Charset`: which charsets the client takes.
    public static let acceptCharset: HTTPHeaderName = "Accept-Charset"
    /// `Accept-Encoding`: which content codings the client takes.
    public static let acceptEncoding: HTTPHeaderName = "Accept-Encoding"
    /// `Accept-Language`: which languages the client prefers.
    public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
    /// `Accept-Ranges`: which range units the server knows.
    public static let acceptRanges: HTTPHeaderName = "Accept-Ranges"
    /// `Age`: how many seconds a response has been in a cache.
    public static let age: HTTPHeaderName = "Age"
    /// `Allow`: which methods the resource supports.
    public static let allow: HTTPHeaderName = "Allow"
    /// `Alt-Svc`: where else the service is to be had.
    public static let altSvc: HTTPHeaderName = "Alt-Svc"
    /// `Alternates`: which variants there are.
    public static let alternates: HTTPHeaderName = "Alternates"
    /// `Authorization`: the client's credentials.
    public static let authorization: HTTPHeaderName = "Authorization"
    /// `Cache-Control`: what caches may do.
    public static let cacheControl: HTTPHeaderName = "Cache-Control"
    /// `Connection`: what is meant for this connection alone.
    public static let connection: HTTPHeaderName = "Connection"
    /// `Content-Digest`: a digest of the content.
    public static let contentDigest: HTTPHeaderName = "Content-Digest"
    /// `Content-Disposition`: how the content is to be presented.
    public static let contentDisposition: HTTPHeaderName = "Content-Disposition"
    /// `Content-Encoding`: how the content is coded.
    public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
    /// `Content-Language`: the language of the content.
    public static let contentLanguage: HTTPHeaderName = "Content-Language"
    /// `Content-Length`: the length of the content in bytes.
    public static let contentLength: HTTPHeaderName = "Content-Length"
    /// `Content-Location`: a URL of the content itself.
    public static let contentLocation: HTTPHeaderName = "Content-Location"
    /// `Content-Range`: which part of the whole the content is.
    public static let contentRange: HTTPHeaderName = "Content-Range"
    /// `Content-Type`: the media type of the content.
    public static let contentType: HTTPHeaderName = "Content-Type"
    /// `Content-Version`: the version of the content.
    public static let contentVersion: HTTPHeaderName = "Content-Version"
    /// `Cookie`: the client's cookies.
    public static let cookie: HTTPHeaderName = "Cookie"
    /// `Date`: when the message was made.
    public static let date: HTTPHeaderName = "Date"
    /// `Derived-From`: which version the content was made from.
    public static let derivedFrom: HTTPHeaderName = "Derived-From"
    /// `ETag`: the version of the representation.
    public static let eTag: HTTPHeaderName = "ETag"
    /// `Expect`: what the server must meet before it answers.
    public static let expect: HTTPHeaderName = "Expect"
    /// `Expires`: when the response becomes stale.
    public static let expires: HTTPHeaderName = "Expires"
    /// `Forwarded`: what proxies knew of the client.
    public static let forwarded: HTTPHeaderName = "Forwarded"
    /// `From`: the e-mail address of the person behind the client.
    public static let from: HTTPHeaderName = "From"
    /// `Host`: the host and port that are asked.
    public static let host: HTTPHeaderName = "Host"
    /// `Idempotency-Key`: what tells a repeated request from a new one.
    public static let idempotencyKey: HTTPHeaderName = "Idempotency-Key"
    /// `If-Match`: do it only for one of these versions.
    public static let ifMatch: HTTPHeaderName = "If-Match"
    /// `If-Modified-Since`: answer only if it changed since.
    public static let ifModifiedSince: HTTPHeaderName = "If-Modified-Since"
    /// `If-None-Match`: do it only for none of these versions.
    public static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
    /// `If-Range`: send the range only of this version.
    public static let ifRange: HTTPHeaderName = "If-Range"
    /// `If-Unmodified-Since`: do it only if it has not changed since.
    public static let ifUnmodifiedSince: HTTPHeaderName = "If-Unmodified-Since"
    /// `Last-Event-ID`: the last server-sent event that arrived.
    public static let lastEventID: HTTPHeaderName = "Last-Event-ID"
    /// `Last-Modified`: when the representation last changed.
    public static let lastModified: HTTPHeaderName = "Last-Modified"
    /// `Link`: links to other resources.
    public static let link: HTTPHeaderName = "Link"
    /// `Location`: where to go instead.
    public static let location: HTTPHeaderName = "Location"
    /// `Max-Forwards`: how often the request may be passed on.
    public static let maxForwards: HTTPHeaderName = "Max-Forwards"
    /// `MIME-Version`: the version of MIME.
    public static let mimeVersion: HTTPHeaderName = "MIME-Version"
    /// `Origin`: the origin that the request comes from.
    public static let origin: HTTPHeaderName = "Origin"
    /// `Pragma`: an old form of cache control.
    public static let pragma: HTTPHeaderName = "Pragma"
    /// `Prefer`: what the client would rather have.
    public static let prefer: HTTPHeaderName = "Prefer"
    /// `Priority`: how urgent the request is.
    public static let priority: HTTPHeaderName = "Priority"
    /// `Proxy-Authenticate`: how to authenticate to the proxy.
    public static let proxyAuthenticate: HTTPHeaderName = "Proxy-Authenticate"
    /// `Proxy-Authorization`: the client's credentials for the proxy.
    public static let proxyAuthorization: HTTPHeaderName = "Proxy-Authorization"
    /// `Public`: which methods the server supports.
    public static let publicMethods: HTTPHeaderName = "Public"
    /// `Range`: which part is asked for.
    public static let range: HTTPHeaderName = "Range"
    /// `Referer`: where the client found the URL.
    public static let referer: HTTPHeaderName = "Referer"
    /// `Repr-Digest`: a digest of the whole representation.
    public static let reprDigest: HTTPHeaderName = "Repr-Digest"
    /// `Retry-After`: when to come back.
    public static let retryAfter: HTTPHeaderName = "Retry-After"
    /// `Server`: what software answers.
    public static let server: HTTPHeaderName = "Server"
    /// `Set-Cookie`: a cookie for the client to keep.
    public static let setCookie: HTTPHeaderName = "Set-Cookie"
    /// `Strict-Transport-Security`: come back over https alone.
    public static let strictTransportSecurity: HTTPHeaderName = "Strict-Transport-Security"
    /// `TE`: which transfer codings the client takes.
    public static let te: HTTPHeaderName = "TE"
    /// `Title`: the title of the content.
    public static let title: HTTPHeaderName = "Title"
    /// `traceparent`: the trace that the request belongs to.
    public static let traceparent: HTTPHeaderName = "traceparent"
    /// `tracestate`: what vendors know of the trace.
    public static let tracestate: HTTPHeaderName = "tracestate"
    /// `Trailer`: which fields follow the content.
    public static let trailer: HTTPHeaderName = "Trailer"
    /// `Transfer-Encoding`: how the message is coded on its way.
    public static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
    /// `Upgrade`: which protocols to change to.
    public static let upgrade: HTTPHeaderName = "Upgrade"
    /// `User-Agent`: what software asks.
    public static let userAgent: HTTPHeaderName = "User-Agent"
    /// `Vary`: what else the response depends on.
    public static let vary: HTTPHeaderName = "Vary"
    /// `Via`: which proxies the message passed.
    public static let via: HTTPHeaderName = "Via"
    /// `Want-Repr-Digest`: which digests of the representation the client wants (RFC 9530).
    public static let wantReprDigest: HTTPHeaderName = "Want-Repr-Digest"
    /// `Warning`: what else there is to know.
    public static let warning: HTTPHeaderName = "Warning"
    /// `WWW-Authenticate`: how to authenticate.
    public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
    /// `X-Request-ID`: a name for this request.
    public static let xRequestID: HTTPHeaderName = "X-Request-ID"
}
