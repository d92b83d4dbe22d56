public import NetKit

extension Endpoint {
    /// The cookie jar that fills in `Cookie` and stores `Set-Cookie`.
    ///
    /// Defaults to nil.
    ///
    /// Without a jar, NetKit neither stores nor sends cookies. With a jar:
    ///
    /// - Every response stores its cookies as soon as its head arrives. This includes redirects, error responses, and
    ///   attempts that are retried.
    /// - Each request carries the cookies for its own URL, also after a redirect to another host. The value of
    ///   `Request.isAuthenticated` doesn't matter.
    /// - A request with a `Cookie` field keeps it. The jar adds only the cookies whose names aren't in it.
    ///
    /// A jar is one user's session. On a server, give each user a `derived(_:)` endpoint, which starts with an empty
    /// jar.
    public var cookies: CookieJar? {
        get { layerSource() }
        set { setLayerSource(newValue) }
    }
}
