import NetKitTesting

/// A runnable demonstration of one feature.
protocol Demonstration: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// A one-line description.
    var summary: String { get }
    /// Whether it requires its own server with its own routes.
    var needsOwnServer: Bool { get }
    /// Adds routes besides those of httpbin. Adds none by default.
    func prepare(_ server: MockServer)
    /// Makes the calls, prints them, and throws when a check fails.
    func run(_ context: Context) async throws
}

extension Demonstration {
    func prepare(_ server: MockServer) {}
}
