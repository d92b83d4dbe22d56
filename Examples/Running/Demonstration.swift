import NetKitTesting

/// Something that NetKit does, shown by doing it.
protocol Demonstration: Sendable {
    /// What it is called on the command line.
    var name: String { get }
    /// One line about it.
    var summary: String { get }
    /// Whether it works only with a server that it has taught what to answer.
    var needsOwnServer: Bool { get }
    /// Teaches the server what to answer beyond the paths of httpbin. Nothing by default.
    func prepare(_ server: MockServer)
    /// Makes the calls, shows them, and throws if one does not do what it should.
    func run(_ context: Context) async throws
}

extension Demonstration {
    func prepare(_ server: MockServer) {}
}
