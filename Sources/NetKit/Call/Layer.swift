/// One layer around an exchange with a server.
///
/// A layer can change the request, answer by itself, send more than once, or inspect the result.
package protocol Layer: Sendable {
    /// Sends a request through this layer and, by `next`, through the layers below it.
    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult
}

/// The layers below a layer.
package struct NextLayers: Sendable {
    private let layers: [any Layer]
    private let index: Int

    /// Creates the list of the layers from `index` on.
    package init(_ layers: [any Layer], from index: Int = 0) {
        self.layers = layers
        self.index = index
    }

    /// Sends a request through the layers, outermost first.
    ///
    /// Inlined, because each layer of each waiting call would otherwise have another frame.
    @inline(__always)
    package func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        guard index < layers.count else {
            return AttemptResult(request, failure: .transport(TransportError(.unsupported)))
        }
        let below = NextLayers(layers, from: index + 1)
        return await layers[index].send(request, in: call, next: below)
    }
}
