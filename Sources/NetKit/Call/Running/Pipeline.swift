package import Foundation
package import NetKitSupport

/// The layers that every call passes through.
///
/// Values, downloads, and streams share the pipeline and differ only in the body sink. It contains only the layers that
/// the endpoint uses. It is made once, when the call starts.
enum Pipeline {
    /// Makes the layers of a call, the innermost first, and returns the outermost.
    @inline(never)
    static func layers(
        of endpoint: Endpoint,
        _ snapshot: SettingsSnapshot,
        for plan: CallPlan
    ) -> any Layer {
        // Reads the snapshot in place, because copying all its values is slow.
        let (home, credentials) = (snapshot.home, snapshot.credentials)
        let interceptors = snapshot.values.interceptors + plan.interceptors
        // Most endpoints have no sources.
        let setting =
            snapshot.values.sources.isEmpty
            ? nil : LayerSetting(endpoint: endpoint, settings: snapshot)
        let exchange = ExchangeLayer(
            transport: endpoint.transport,
            limits: ExchangeLimits(
                maximumResponseSize: snapshot.values.maximumResponseSize,
                idleTimeout: snapshot.values.timeouts.idle
            ),
            headReceiver: setting?.headReceiver
        )
        var layer: any Layer = AdmissionLayer(gate: endpoint.gate, next: exchange)
        func addInterceptors(of scope: InterceptorScope) {
            guard !interceptors.isEmpty else { return }
            layer =
                InterceptorsLayer(scope, of: interceptors, home: home, next: layer) ?? layer
        }

        addInterceptors(of: .exchange)
        // Each exchange passes through the layers so far.
        setting?.addLayers(at: .cookies, above: &layer)
        if case .memory = plan.destination { layer = StatusLayer(next: layer) }
        if let authentication = snapshot.values.authentication, let credentials {
            layer = AuthenticationLayer(
                authentication: authentication,
                scope: credentials,
                endpoint: endpoint,
                fields: snapshot.values.headers,
                next: layer
            )
        }
        if plan.cachePolicy == .onlyIfCached { layer = OnlyIfCachedLayer() }
        setting?.addLayers(at: .cache, above: &layer)
        layer = RedirectsLayer(
            policy: snapshot.values.redirectPolicy,
            credentials: credentials,
            next: layer
        )
        if plan.isDownload || plan.isStream { layer = ResumeLayer(next: layer) }
        addInterceptors(of: .attempt)
        // Each attempt passes through the layers so far.
        layer = RetryLayer(
            policy: snapshot.values.retryPolicy,
            budgets: endpoint.budgets,
            gate: endpoint.gate,
            next: layer
        )
        setting?.addLayers(at: .aboveRetry, above: &layer)
        addInterceptors(of: .call)
        return layer
    }
}

/// Refuses a call that may only be answered from a cache.
package struct OnlyIfCachedLayer: Layer {
    package func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        Self.refusal(of: request, in: call)
    }

    /// Returns a 504 for a request that must not be sent (RFC 9111, section 5.2.1.7).
    ///
    /// It isn't retried.
    package static func refusal(of request: EncodedRequest, in call: CallContext) -> AttemptResult {
        let head = ResponseHead(status: 504)
        var parts = AttemptResult.Parts(
            request,
            .response(HTTPResponse(to: request, head, body: Data(), isOfCache: true))
        )
        (parts.attempt, parts.isFinal, parts.cacheOutcome) = (call.attempt, true, .miss)
        return AttemptResult(parts)
    }
}

/// A feature that takes part in an endpoint's calls and lives in a module of its own, such as a cache or a cookie jar.
///
/// An endpoint has at most one of each type. An endpoint without any runs none of their code.
package protocol LayerSource: Sendable {
    /// Returns the source's layer at a place in the pipeline, above another layer, or nil if it has none there.
    func layer(
        at place: LayerPlace,
        in setting: LayerSetting,
        above next: any Layer
    ) -> (any Layer)?
    /// Receives each response's head when it arrives. Defaults to nil for none.
    var headReceiver: (any HeadReceiver)? { get }
    /// The session that the source adds to requests. Defaults to nil for none.
    var session: (any SessionSource)? { get }
    /// Whether the source belongs to one user. Defaults to `false`.
    var isCredential: Bool { get }
    /// The source for a derived endpoint, which may be another user's. Defaults to the same source.
    var forAnotherUser: any LayerSource { get }
}

extension LayerSource {
    package var headReceiver: (any HeadReceiver)? { nil }
    package var session: (any SessionSource)? { nil }
    package var isCredential: Bool { false }
    package var forAnotherUser: any LayerSource { self }
}

/// A place in the ``Pipeline`` for layers of other modules.
package enum LayerPlace: Sendable {
    /// Around the call and its retries.
    case aboveRetry
    /// Around each attempt, between redirects and authentication.
    case cache
    /// Around each exchange, below authentication.
    case cookies
}

/// What the layers of a call may know about it when they are made.
package struct LayerSetting: Sendable {
    package let endpoint: Endpoint
    package let settings: SettingsSnapshot

    /// Adds the layers that the endpoint's sources have at a place.
    func addLayers(at place: LayerPlace, above layer: inout any Layer) {
        for source in settings.values.sources.reversed() {
            layer = source.layer(at: place, in: self, above: layer) ?? layer
        }
    }

    /// The source that receives the heads of responses.
    var headReceiver: (any HeadReceiver)? {
        settings.values.sources.lazy.compactMap(\.headReceiver).first
    }
}

/// A user's session, which a layer below the cache adds to requests.
package protocol SessionSource: Sendable {
    /// The identity of the session, which changes when another user may have signed in.
    var identity: String { get }
    /// Returns whether a request carries something of the session.
    func applies(to request: EncodedRequest, at date: Date) -> Bool
    /// Returns the request with the session's fields.
    func added(to request: EncodedRequest, at clock: DeadlineClock) -> EncodedRequest
}

extension Endpoint {
    /// Returns the endpoint's source of a type, or nil if it has none.
    package func layerSource<Source: LayerSource>(_: Source.Type = Source.self) -> Source? {
        settings.values.sources.lazy.compactMap { $0 as? Source }.first
    }

    /// Replaces the endpoint's source of a type.
    package func setLayerSource<Source: LayerSource>(_ source: Source?) {
        change { settings in
            settings.sources.removeAll { $0 is Source }
            if let source { settings.sources.append(source) }
        }
    }
}
