import NetKit

/// The outcome of a call.
typealias Outcome<R: Request> = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>

extension Turn {
    /// Sends a request with closures or with `async`, cancels it as planned, and waits for its outcome.
    func outcome<R: Request>(
        of request: R,
        on endpoint: Endpoint,
        deadline: Duration? = nil
    ) async -> Outcome<R> {
        var random = random
        if deadline == nil, random.happens(0.5) {
            return await asyncOutcome(of: request, on: endpoint)
        }
        return await closureOutcome(of: request, on: endpoint, deadline: deadline)
    }

    private func asyncOutcome<R: Request>(of request: R, on endpoint: Endpoint) async -> Outcome<R>
    {
        let task = Task { () -> Outcome<R> in
            do throws(ErrorResponse<R.ErrorType>) {
                return .success(try await endpoint.value(for: request))
            } catch {
                return .failure(error)
            }
        }
        await cancelLater { task.cancel() }
        return await task.value
    }

    private func closureOutcome<R: Request>(
        of request: R,
        on endpoint: Endpoint,
        deadline: Duration?
    ) async -> Outcome<R> {
        let (outcomes, sink) = AsyncStream.makeStream(of: Outcome<R>.self)
        let operation = endpoint.execute(request)
        if let deadline { operation.deadline(after: deadline) }
        operation
            .onSuccess { deliver(.success($0), to: sink) }
            .onFail { deliver(.failure($0), to: sink) }
        // Closures run in the order in which they were added. A lost outcome leaves the operation pending.
        operation
            .onSuccess { _ in sink.finish() }
            .onFail { _ in sink.finish() }
        await cancelLater { operation.cancel() }
        var last: Outcome<R>?
        for await outcome in outcomes { last = outcome }
        return last ?? .failure(.interceptor(NoOutcome()))
    }

    private func deliver<Outcome: Sendable>(
        _ outcome: Outcome,
        to sink: AsyncStream<Outcome>.Continuation
    ) {
        ledger.deliver(ticket)
        if plant == .secondOutcome, number.isMultiple(of: 50) { ledger.deliver(ticket) }
        sink.yield(outcome)
    }
}

/// An operation ended without an outcome.
struct NoOutcome: Error {}
