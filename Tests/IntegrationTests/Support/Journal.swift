/// What closures note down, from any thread, in the order in which they do.
struct Journal: Sendable {
    private let stream: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init() {
        (stream, sink) = AsyncStream.makeStream()
    }

    func note(_ entry: String) {
        sink.yield(entry)
    }

    /// Says that nothing more is of interest.
    func end() {
        sink.finish()
    }

    /// Everything that was noted before the end, which is waited for; to be read once.
    var entries: [String] {
        get async {
            var entries: [String] = []
            for await entry in stream { entries.append(entry) }
            return entries
        }
    }
}
