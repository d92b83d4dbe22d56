/// Samples the process each second, and prints a line each minute.
struct Watch {
    private let ledger: Ledger
    private let calls: CallCount

    init(_ ledger: Ledger, _ calls: CallCount) {
        (self.ledger, self.calls) = (ledger, calls)
    }

    /// Samples until it is cancelled.
    func run() async -> [ProcessSample] {
        var samples: [ProcessSample] = []
        while !Task.isCancelled {
            // Ends early when it is cancelled.
            try? await Task.sleep(for: .seconds(1))
            samples.append(.now(sessionExchanges: calls.exchanges[.urlSession] ?? 0))
            if samples.count.isMultiple(of: 60) { print(line(samples)) }
        }
        return samples
    }

    private func line(_ samples: [ProcessSample]) -> String {
        let (last, total) = (samples.suffix(60), ledger.total)
        let oldest = ledger.pending.map { ContinuousClock.now - $0.start }.max() ?? .zero
        return """
            minute \(samples.count / 60): \(total.ended) operations, \
            \(last.map(\.descriptors).max() ?? 0) descriptors, \
            \(last.map(\.threads).max() ?? 0) threads, \
            \((last.map(\.memory).max() ?? 0) >> 20) MiB, \
            \(Flatness.middle(last, \.allocated) >> 10) KiB allocated, \
            oldest operation \(oldest.components.seconds) s, \(ledger.breachCount) breaches
            """
    }
}
