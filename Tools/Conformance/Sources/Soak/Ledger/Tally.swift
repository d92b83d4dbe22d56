/// The result of one operation.
enum Verdict: Hashable, Sendable {
    /// The right value.
    case value
    /// A failure that the operation's fault explains.
    case failure
    case cancelled
    /// Anything else: a wrong value, or an unexplained failure.
    case wrong(String)
}

/// The number of operations by result.
struct Tally: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let work: Work
        let engine: Engine
    }

    var started = 0
    var values = 0
    var failures = 0
    var cancelled = 0
    var wrong = 0

    var ended: Int { values + failures + cancelled + wrong }

    mutating func add(_ verdict: Verdict) {
        switch verdict {
        case .value: values += 1
        case .failure: failures += 1
        case .cancelled: cancelled += 1
        case .wrong: wrong += 1
        }
    }

    static func + (left: Tally, right: Tally) -> Tally {
        Tally(
            started: left.started + right.started,
            values: left.values + right.values,
            failures: left.failures + right.failures,
            cancelled: left.cancelled + right.cancelled,
            wrong: left.wrong + right.wrong
        )
    }
}
