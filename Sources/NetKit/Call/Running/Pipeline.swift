package import Foundation
package import NetKitSupport

/// The layers that every call passes through, outermost first.
///
/// Values, downloads, and streams share the pipeline and differ only in the body sink. The list contains only the
/// layers that the endpoint uses. It is made once, when the call starts.
struct Pipeline: Sendable {
    private let layers: [any Layer]

    /// Lists the layers of a call.
    @inline(never)
    init(of endpoint: Endpoint, _ snapshot: SettingsSnapshot, for plan: CallPlan) {
        // Reads the snapshot in place, because copying all its values is slow.
        let (home, credentials) = (snapshot.home, snapshot.credentials)
        let interceptors = snapshot.values.interceptors + plan.interceptors
        func intercepting(_ scope: InterceptorScope) -> InterceptorsLayer? {
            interceptors.isEmpty ? nil : InterceptorsLayer(scope, of: interceptors, home: home)
        }

        // Made only for sources, because it copies the plan.
        let setting =
            snapshot.values.sources.isEmpty
            ? nil : LayerSetting(endpoint: endpoint, settings: snapshot, plan: plan)

        var layers: [any Layer] = []
        layers.reserveCapacity(12)
        if let layer = intercepting(.call) { layers.append(layer) }
        setting?.addLayers(at: .aboveRetry, to: &layers)
        layers.append(
            RetryLayer(
                policy: snapshot.values.retryPolicy,
                budgets: endpoint.budgets,
                gate: endpoint.gate
            )
        )
        // Each attempt passes through the layers below.
        if let layer = intercepting(.attempt) { layers.append(layer) }
        if plan.isDownload || plan.isStream { layers.append(ResumeLayer()) }
        layers.append(
            RedirectsLayer(policy: snapshot.values.redirectPolicy, credentials: credentials)
        )
        let count = layers.count
        setting?.addLayers(at: .cache, to: &layers)
        if plan.cachePolicy == .onlyIfCached, layers.count == count {
            layers.append(OnlyIfCachedLayer())
        }
        if let authentication = snapshot.values.authentication, let credentials {
            layers.append(
                AuthenticationLayer(
                    authentication: authentication,
                    scope: credentials,
                    endpoint: endpoint,
                    fields: snapshot.values.headers
                )
            )
        }
        if case .memory = plan.destination { layers.append(StatusLayer()) }
        setting?.addLayers(at: .cookies, to: &layers)
        // Each exchange passes through the layers below.
        if let layer = intercepting(.exchange) { layers.append(layer) }
        layers.append(AdmissionLayer(gate: endpoint.gate))
        layers.append(
            ExchangeLayer(
                transport: endpoint.transport,
                limits: ExchangeLimits(
                    maximumResponseSize: snapshot.values.maximumResponseSize,
                    idleTimeout: snapshot.values.timeouts.idle
                ),
                headReceiver: setting?.headReceiver
            )
        )
        self.layers = layers
    }

    /// Sends a request through all layers.
    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        await NextLayers(layers).send(request, in: call)
    }
}

/// Refuses a call that may only be answered from a cache, for an endpoint without one.
package struct OnlyIfCachedLayer: Layer {
    package func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
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
    /// Returns the source's layer at a place in the pipeline, or nil if it has none there.
    func layer(at place: LayerPlace, in setting: LayerSetting) -> (any Layer)?
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
    package let plan: CallPlan

    /// The session that one of the endpoint's sources adds to requests.
    package var session: (any SessionSource)? { settings.values.session }

    /// Adds the layers that the endpoint's sources have at a place.
    func addLayers(at place: LayerPlace, to layers: inout [any Layer]) {
        for source in settings.values.sources {
            if let layer = source.layer(at: place, in: self) { layers.append(layer) }
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
