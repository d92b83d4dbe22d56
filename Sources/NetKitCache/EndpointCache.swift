public import NetKit

extension Endpoint {
    /// The cache for responses, which follows RFC 9111.
    ///
    /// Defaults to nil. Without a cache, nothing is stored. Users never share `private` responses: entries are kept apart
    /// by the request's own credentials, `authentication`, `cookies`, a client certificate of the transport, and
    /// `Host`. `derived(_:)` endpoints can therefore share a cache. To control caching per request, use
    /// `Request.cachePolicy`.
    ///
    /// Downloads and `stream(_:)` calls use the cache like other calls. Event streams aren't stored.
    public var cache: HTTPCache? {
        get { layerSource() }
        set { setLayerSource(newValue) }
    }
}

extension HTTPCache: LayerSource {
    package func layer(at place: LayerPlace, in setting: LayerSetting) -> (any Layer)? {
        switch place {
        case .aboveRetry: StaleIfErrorLayer(cache: self)
        case .cache:
            CacheLayer(cache: self, user: CacheUser(in: setting), endpoint: setting.endpoint)
        case .cookies: nil
        }
    }
}
