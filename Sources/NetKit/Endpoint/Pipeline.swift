/// The layers that every call passes through, the outermost first.
///
/// Values, downloads and streams take the same way; they differ in the sink of the response's body. A layer that an
/// endpoint does not use is not in the list.
struct Pipeline: Sendable {
    private let layers: [any Layer]

    /// Lists the layers of a call.
    init(of endpoint: Endpoint, for plan: CallPlan) {
        let settings = endpoint.settings.values
        let credentials = CredentialScope(settings)
        let interceptors = settings.interceptors + plan.interceptors
        var home: Origin?
        if case .success(let base) = settings.encoding.base { home = base.origin }
        func isUsed(_ scope: InterceptorScope) -> Bool {
            // A retrier may replace the request by one that has interceptors.
            plan.replacement != nil || interceptors.contains { $0.scope == scope }
        }

        var layers: [any Layer] = [
            RetryLayer(
                policy: settings.retryPolicy,
                budgets: endpoint.budgets,
                gate: endpoint.gate
            )
        ]
        if isUsed(.attempt) {
            layers.append(
                InterceptorsLayer(scope: .attempt, interceptors: settings.interceptors, home: home)
            )
        }
        if plan.isDownload || plan.isStream { layers.append(ResumeLayer()) }
        layers.append(RedirectsLayer(policy: settings.redirectPolicy, credentials: credentials))
        if let authentication = settings.authentication, let credentials {
            layers.append(
                AuthenticationLayer(
                    authentication: authentication,
                    scope: credentials,
                    endpoint: endpoint
                )
            )
        }
        if isUsed(.exchange) {
            layers.append(
                InterceptorsLayer(scope: .exchange, interceptors: settings.interceptors, home: home)
            )
        }
        layers.append(AdmissionLayer(gate: endpoint.gate))
        layers.append(
            ExchangeLayer(
                transport: endpoint.transport,
                maximumResponseSize: settings.maximumResponseSize,
                idleTimeout: settings.timeouts.idle
            )
        )
        self.layers = layers
    }

    /// Sends a request through all layers.
    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        await NextLayers(layers[...]).send(request, in: call)
    }
}
