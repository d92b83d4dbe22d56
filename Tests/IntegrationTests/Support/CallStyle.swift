import NetKit
import Testing

/// What a call came to, whichever way it was made.
typealias Outcome<R: Request> = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>

/// The two faces of a call: what holds for one holds for the other.
enum CallStyle: CaseIterable, Sendable {
    case callbacks, async

    /// Makes the call and waits for its outcome.
    func outcome<R: Request>(of request: R, on endpoint: Endpoint) async -> Outcome<R> {
        switch self {
        case .callbacks:
            return await callbackOutcome(of: endpoint.execute(request))
        case .async:
            do throws(ErrorResponse<R.ErrorType>) {
                return .success(try await endpoint.value(for: request))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The outcome that an operation tells its callbacks.
func outcome<R: Request>(of operation: RequestExecutionOperation<R>) async -> Outcome<R> {
    let (outcomes, sink) = AsyncStream.makeStream(of: Outcome<R>.self)
    operation
        .onSuccess { sink.yield(.success($0)) }
        .onFail { sink.yield(.failure($0)) }
    // Closures run in the order added, so that these come when everything has been told.
    operation
        .onSuccess { _ in sink.finish() }
        .onFail { _ in sink.finish() }
    var all: [Outcome<R>] = []
    for await outcome in outcomes { all.append(outcome) }
    guard all.count == 1, let only = all.first else {
        Issue.record("\(all.count) outcomes")
        return .failure(.cancelled)
    }
    return only
}

extension Result {
    /// What a call succeeded with.
    var value: Success? { if case .success(let value) = self { value } else { nil } }
    /// What a call failed with.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// The same, where a member or a parameter is called `outcome`.
func callbackOutcome<R: Request>(of operation: RequestExecutionOperation<R>) async -> Outcome<R> {
    await outcome(of: operation)
}
