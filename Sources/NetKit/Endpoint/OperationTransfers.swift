extension RequestExecutionOperation {
    /// Adds a closure that hears how the bytes go, both ways.
    ///
    /// At most about twenty times a second, and always of the last byte. The bodies of redirects and
    /// of responses outside 2xx are not counted.
    ///
    /// - Parameter closure: Gets direction, bytes, total, rate and time left.
    /// - Returns: The operation.
    @discardableResult
    public func onTransfer(_ closure: @escaping @Sendable (Transfer) -> Void) -> Self {
        run.act(run.state.withLock { $0.addTransferHandler(closure) })
        return self
    }

    /// How the bytes go, both ways, as ``onTransfer(_:)`` tells it; ends with the call, however it ends.
    ///
    /// Each access gives a sequence of its own. Leaving its loop leaves the call alone; ``value`` has
    /// the outcome.
    ///
    /// ```swift
    /// let operation = request.download(to: file).execute(on: endpoint)
    /// for await transfer in operation.transfers { show(transfer) }
    /// let saved = try await operation.value
    /// ```
    public var transfers: AsyncStream<Transfer> {
        let (stream, continuation) = AsyncStream.makeStream(of: Transfer.self)
        let (first, second) = run.state.withLock { state in
            (
                state.addTransferHandler { continuation.yield($0) },
                state.addOutcomeHandler { _ in continuation.finish() }
            )
        }
        run.listenerAdded()
        run.act(first.and(second))
        return stream
    }
}
