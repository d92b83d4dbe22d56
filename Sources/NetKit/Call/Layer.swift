/// One layer around an exchange with a server.
///
/// A layer may change the request, answer by itself, send several times, or look at the result.
protocol Layer: Sendable {
    /// Sends a request through this layer and, by `next`, through the layers below it.
    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult
}

/// The layers below a layer.
struct NextLayers: Sendable {
    private let layers: ArraySlice<any Layer>

    init(_ layers: ArraySlice<any Layer>) {
        self.layers = layers
    }

    /// Sends a request through the layers, the outermost first.
    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        guard let layer = layers.first else {
            return AttemptResult(request, failure: .transport(TransportError(.unsupported)))
        }
        return await layer.send(request, in: call, next: NextLayers(layers.dropFirst()))
    }
}
