/// A client of a suite: named on the command line by its raw value, in tables by its title.
protocol BenchmarkClient: RawRepresentable<String>, Hashable, Sendable {
    /// The client's name for people.
    var title: String { get }
}
