import Foundation
import NetKit
import Synchronization

/// NetKit with callbacks on their default queue and default settings, but without retries.
struct NetKitCallbacksClient: ItemFetching {
    private let endpoint: Endpoint
    private let path: String

    init(_ source: ItemSource, _ engine: NetKitEngine) {
        endpoint = engine.endpoint(source.baseURL, connections: source.connections)
        path = source.path
    }

    func fetchItems(_ count: Int, inFlight: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let chains = CallbackChains(
                endpoint: endpoint,
                path: path,
                budget: CallBudget(count),
                count: inFlight,
                completion: continuation
            )
            for _ in 0..<inFlight { chains.startNext() }
        }
    }
}

/// Chains of calls, each of which starts the next one in its callback, as callback code does.
private final class CallbackChains: Sendable {
    private struct State {
        var runningChains: Int
        var completion: CheckedContinuation<Void, any Error>?
    }

    private let endpoint: Endpoint
    private let path: String
    private let budget: CallBudget
    private let state: Mutex<State>

    init(
        endpoint: Endpoint,
        path: String,
        budget: CallBudget,
        count: Int,
        completion: CheckedContinuation<Void, any Error>
    ) {
        self.endpoint = endpoint
        self.path = path
        self.budget = budget
        state = Mutex(State(runningChains: count, completion: completion))
    }

    func startNext() {
        guard budget.take() else { return endChain() }
        endpoint.execute(ItemRequest(path: path))
            .onSuccess { item in
                guard item == .sample else { return self.fail(with: WrongAnswer.value) }
                self.startNext()
            }
            .onFail { error in
                self.fail(with: error)
            }
    }

    private func endChain() {
        let completion = state.withLock { state in
            state.runningChains -= 1
            return state.runningChains == 0 ? state.completion.take() : nil
        }
        completion?.resume()
    }

    private func fail(with error: any Error) {
        state.withLock { $0.completion.take() }?.resume(throwing: error)
    }
}
