/// The layers that every call passes through, outermost first.
///
/// Values, downloads, and streams share the pipeline and differ only in the body sink. The list contains only the
/// layers that the endpoint uses.
struct Pipeline: Sendable {
    private let layers: [any Layer]

    /// Lists the layers of a call.
    init(of endpoint: Endpoint, for plan: CallPlan) {
        // Reads the snapshot in place, because copying all its values is slow.
        let snapshot = endpoint.settings
        let retries = RetryLayer(
            policy: snapshot.values.retryPolicy,
            budgets: endpoint.budgets,
            gate: endpoint.gate
        )
        let attempts = AttemptLayers(endpoint: endpoint)
        var layers: [any Layer] = []
        layers.reserveCapacity(4)
        let interceptors = snapshot.values.interceptors
        if !interceptors.isEmpty || !plan.interceptors.isEmpty,
            let layer = InterceptorsLayer(
                .call,
                of: interceptors + plan.interceptors,
                home: snapshot.home
            )
        {
            layers.append(layer)
        }
        if let cache = snapshot.values.cache { layers.append(StaleIfErrorLayer(cache: cache)) }
        layers.append(retries)
        layers.append(attempts)
        self.layers = layers
    }

    /// Sends a request through all layers.
    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        await NextLayers(layers).send(request, in: call)
    }
}

/// The layers of one attempt.
///
/// They are listed for each attempt, because a retrier may change the request and the endpoint's settings.
struct AttemptLayers: Layer {
    let endpoint: Endpoint

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        await NextLayers(layers(for: call.plan)).send(request, in: call)
    }

    private func layers(for plan: CallPlan) -> [any Layer] {
        let snapshot = endpoint.settings
        let (home, credentials) = (snapshot.home, snapshot.credentials)
        let interceptors = snapshot.values.interceptors + plan.interceptors

        var layers: [any Layer] = []
        layers.reserveCapacity(9)
        if let layer = InterceptorsLayer(.attempt, of: interceptors, home: home) {
            layers.append(layer)
        }
        if plan.isDownload || plan.isStream { layers.append(ResumeLayer()) }
        layers.append(
            RedirectsLayer(policy: snapshot.values.redirectPolicy, credentials: credentials)
        )
        if let cache = snapshot.values.cache ?? (plan.cachePolicy == .onlyIfCached ? .empty : nil) {
            let user = CacheUser(
                identity: snapshot.values.identity,
                credentials: credentials,
                jar: snapshot.values.cookies
            )
            layers.append(CacheLayer(cache: cache, user: user, endpoint: endpoint))
        }
        if let authentication = snapshot.values.authentication, let credentials {
            layers.append(
                AuthenticationLayer(
                    authentication: authentication,
                    scope: credentials,
                    endpoint: endpoint
                )
            )
        }
        if let jar = snapshot.values.cookies { layers.append(CookiesLayer(jar: jar)) }
        if let layer = InterceptorsLayer(.exchange, of: interceptors, home: home) {
            layers.append(layer)
        }
        layers.append(AdmissionLayer(gate: endpoint.gate))
        layers.append(
            ExchangeLayer(
                transport: endpoint.transport,
                limits: ExchangeLimits(
                    maximumResponseSize: snapshot.values.maximumResponseSize,
                    idleTimeout: snapshot.values.timeouts.idle
                ),
                headReceiver: snapshot.values.cookies
            )
        )
        return layers
    }
}
