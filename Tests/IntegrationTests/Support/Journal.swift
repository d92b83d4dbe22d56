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

    /// Waits until an entry was noted so many times; to be used once, in place of ``entries``.
    func count(of entry: String, upTo count: Int) async -> Int {
        var found = 0
        for await next in stream where next == entry {
            found += 1
            if found == count { break }
        }
        return found
    }
}
