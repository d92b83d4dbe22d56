/// What a test's result says of the cache.
enum Verdict: Hashable, Sendable {
    case passed
    case failed
    /// Failed, which breaks no rule.
    case lessThanOptimal
    /// The answer of a test that only asks.
    case yes
    case no
    case setupFailed
    case harnessFailed
    /// A test that it rests on did not pass.
    case dependencyFailed(String)
    /// A request was sent twice, so that the result has to be interpreted by hand.
    case retried
    case untested

    var isPass: Bool { self == .passed || self == .yes }

    /// How a table names it.
    var title: String {
        switch self {
        case .passed: "passed"
        case .failed, .lessThanOptimal: "failed"
        case .yes: "yes"
        case .no: "no"
        case .setupFailed: "setup failed"
        case .harnessFailed: "harness failed"
        case .dependencyFailed(let id): "depends on \(id)"
        case .retried: "retried"
        case .untested: "untested"
        }
    }
}

/// The results of a run, and the tests that they belong to.
struct Results: Sendable {
    let suites: [TestSuite]
    /// By identifier; tests that did not run are not in it.
    let outcomes: [String: TestOutcome]
    private let tests: [String: CacheTest]

    init(_ suites: [TestSuite], _ outcomes: [String: TestOutcome]) {
        self.suites = suites
        self.outcomes = outcomes
        tests = Dictionary(suites.flatMap(\.tests).map { ($0.id, $0) }) { first, _ in first }
    }

    /// The verdict on a test, by the rules of the original.
    ///
    /// - Parameter id: The test.
    /// - Returns: The verdict; a test that rests on itself is untested.
    func verdict(_ id: String) -> Verdict {
        verdict(id, below: [])
    }

    private func verdict(_ id: String, below dependents: Set<String>) -> Verdict {
        guard let test = tests[id], let outcome = outcomes[id], !dependents.contains(id) else {
            return .untested
        }
        let path = dependents.union([id])
        let missing = test.dependencies.first { !verdict($0, below: path).isPass }
        if let missing { return .dependencyFailed(missing) }
        switch (outcome, test.kind) {
        case (.failed(.setup("retry")), _): return .retried
        case (.failed(.setup), _): return .setupFailed
        case (.failed(.error("AbortError", _)), _), (.failed(.error("UnknownForm", _)), _):
            return .harnessFailed
        case (.passed, .check): return .yes
        case (.passed, _): return .passed
        case (_, .required): return .failed
        case (_, .optimal): return .lessThanOptimal
        case (_, .check): return .no
        }
    }

    /// The tests of a kind that ran.
    func tests(_ kind: CacheTest.Kind, in suite: TestSuite? = nil) -> [CacheTest] {
        (suite.map { [$0] } ?? suites).flatMap(\.tests)
            .filter { $0.kind == kind && outcomes.keys.contains($0.id) }
    }

    /// How many tests of a kind passed.
    func passes(_ kind: CacheTest.Kind, in suite: TestSuite? = nil) -> Int {
        tests(kind, in: suite).count { verdict($0.id).isPass }
    }
}
