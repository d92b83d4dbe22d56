import Synchronization

/// Issues tokens that end after 40 requests.
///
/// A token remains valid until the end of the next, so that a call with a new token never meets an old one.
final class TokenOffice: Sendable {
    private struct State {
        var current = 1
        var uses = 0
        var orders = 0
    }

    private let state = Mutex(State())

    /// Whether an `Authorization` field has a valid token.
    ///
    /// Counts the use.
    func accepts(_ field: String?) -> Bool {
        guard let field, let number = Int(field.dropFirst("Bearer token-".count)) else {
            return false
        }
        return state.withLock { state in
            guard number >= state.current - 1 else { return false }
            state.uses += 1
            if state.uses.isMultiple(of: 40) { state.current += 1 }
            return true
        }
    }

    /// Issues the current token.
    ///
    /// Refuses every fifth order.
    func issue() -> String? {
        state.withLock { state in
            state.orders += 1
            return state.orders.isMultiple(of: 5) ? nil : "token-\(state.current)"
        }
    }
}
