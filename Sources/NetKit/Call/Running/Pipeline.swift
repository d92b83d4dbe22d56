/// The layers that every call passes through, outermost first.
///
/// Values, downloads, and streams share the pipeline and differ only in the body sink. The list contains only the
/// layers that the endpoint uses. It is made once, when the call starts: later changes of the endpoint's settings are
/// for later calls.
struct Pipeline: Sendable {
    private let layers: [any Layer]

    /// Lists the layers of a call.
    init(of endpoint: Endpoint, for plan: CallPlan) {
        // Reads the snapshot in place, because copying all its values is slow.
        let snapshot = endpoint.settings
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
                    endpoint: endpoint
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
