/// Why a test did not pass.
enum TestFailure: Error, Hashable, Sendable {
    /// What the test rests on is not so, which says nothing about its subject.
    case setup(String)
    /// The cache does something else than the test expects.
    case assertion(String)
    /// Something else went wrong, named as in JavaScript: `TypeError` where no response arrived.
    case error(String, String)

    var message: String {
        switch self {
        case .setup(let message), .assertion(let message): message
        case .error(let name, let message): "\(name): \(message)"
        }
    }

    /// Throws where an expectation is not met.
    static func check(
        _ isMet: Bool,
        isSetup: Bool = false,
        _ message: @autoclosure () -> String
    ) throws(TestFailure) {
        if isMet { return }
        throw isSetup ? .setup(message()) : .assertion(message())
    }
}

/// How a test ended.
enum TestOutcome: Hashable, Sendable {
    case passed
    case failed(TestFailure)

    /// Why it did not pass; nil if it did.
    var message: String? {
        switch self {
        case .passed: nil
        case .failed(let failure): failure.message
        }
    }
}
