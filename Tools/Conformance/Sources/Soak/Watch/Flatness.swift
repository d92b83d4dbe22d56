/// Whether the figures of a process stay flat after the warm-up.
///
/// The warm-up is the first quarter of the samples. The rest has two halves. Descriptors and threads are compared by
/// the maximum of each half, since a leak raises both. Memory is compared by the median, since its maximum depends on
/// the bodies that happen to be in flight.
struct Flatness: Sendable {
    /// A figure in both halves.
    struct Figure: Hashable, Sendable {
        let name: String
        let first: Int
        let second: Int
        /// The allowed growth.
        let tolerance: Int

        var isFlat: Bool { second - first <= tolerance }
    }

    /// Descriptors of connections come and go with cancelled calls.
    static let descriptorTolerance = 12
    /// Dispatch starts a thread when all others are busy.
    static let threadTolerance = 6
    /// URLSession never frees the parts of a URL that it compares with its host: up to five pieces of 32 bytes or more
    /// for each request, 150 to 170 bytes on average.
    static let bytesPerSessionExchange = 180
    /// The bodies in flight differ.
    static let allocatedTolerance = 1 << 20
    /// The allocator's arenas.
    static let residentTolerance = 4 << 20

    let figures: [Figure]

    init(_ samples: [ProcessSample]) {
        let warm = Array(samples.dropFirst(samples.count / 4))
        let (first, second) = (warm.prefix(warm.count / 2), warm.dropFirst(warm.count / 2))
        func highest(_ half: ArraySlice<ProcessSample>, _ figure: (ProcessSample) -> Int) -> Int {
            half.map(figure).max() ?? 0
        }
        let exchanges =
            Self.middle(second, \.sessionExchanges) - Self.middle(first, \.sessionExchanges)
        let kept = Self.bytesPerSessionExchange * exchanges
        figures = [
            Figure(
                name: "descriptors",
                first: highest(first, \.descriptors),
                second: highest(second, \.descriptors),
                tolerance: Self.descriptorTolerance
            ),
            Figure(
                name: "threads",
                first: highest(first, \.threads),
                second: highest(second, \.threads),
                tolerance: Self.threadTolerance
            ),
            Figure(
                name: "allocated bytes",
                first: Self.middle(first, \.allocated),
                second: Self.middle(second, \.allocated),
                tolerance: Self.allocatedTolerance + kept
            ),
            Figure(
                name: "resident bytes",
                first: Self.middle(first, \.memory),
                second: Self.middle(second, \.memory),
                tolerance: Self.residentTolerance + kept
            ),
        ]
    }

    /// The median of a figure.
    static func middle(
        _ samples: ArraySlice<ProcessSample>,
        _ figure: (ProcessSample) -> Int
    ) -> Int {
        let sorted = samples.map(figure).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
