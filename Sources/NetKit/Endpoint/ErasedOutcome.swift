/// The outcome of a call whose request's type is not said.
class ErasedOutcome: @unchecked Sendable {
    // Proof: it has no state, and its one subclass has a constant alone.
    fileprivate init() {}
}

/// The outcome of a call of one type of request.
final class TypedOutcome<T: Request>: ErasedOutcome, @unchecked Sendable {
    // Proof: a constant that is Sendable itself.
    private let outcome: RequestExecutionOperation<T>.Outcome

    init(_ outcome: RequestExecutionOperation<T>.Outcome) {
        self.outcome = outcome
        super.init()
    }

    /// Gives what is in `erased`, which an operation of `T` made.
    static func read(
        _ erased: ErasedOutcome,
        _ body: (RequestExecutionOperation<T>.Outcome) -> Void
    ) {
        guard let typed = erased as? TypedOutcome<T> else { return }
        body(typed.outcome)
    }
}
