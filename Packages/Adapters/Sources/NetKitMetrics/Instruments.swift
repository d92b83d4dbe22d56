import CoreMetrics
import NetKitConventions

/// The metrics of an endpoint, each made once.
final class Instruments: Sendable {
    /// The metrics of the exchanges with the same labels.
    struct Exchange: Sendable {
        let duration: CoreMetrics.Timer
        let requestSize: Recorder
        let responseSize: Recorder

        init(_ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            duration = Timer(
                label: "http.client.request.duration",
                dimensions: dimensions,
                preferredDisplayUnit: .seconds,
                factory: factory
            )
            func size(_ of: String) -> Recorder {
                Recorder(
                    label: "http.client.\(of).body.size",
                    dimensions: dimensions,
                    aggregate: true,
                    factory: factory
                )
            }
            requestSize = size("request")
            responseSize = size("response")
        }

        func record(lasting time: Duration, _ sizes: (request: Int64?, response: Int64?)) {
            let (seconds, attoseconds) = time.components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let nanoseconds = attoseconds / 1_000_000_000
            duration.recordNanoseconds(overflow ? .max : whole &+ nanoseconds)
            if let size = sizes.request { requestSize.record(size) }
            if let size = sizes.response { responseSize.record(size) }
        }
    }

    private let factory: any MetricsFactory
    private let exchanges = InstrumentTable<ExchangeLabels, Exchange>()
    private let active = InstrumentTable<ExchangeLabels.Server, Meter>()

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// The metrics for some labels.
    func of(_ labels: ExchangeLabels) -> Exchange {
        exchanges.instrument(for: labels) { Exchange($0.dimensions, factory) }
    }

    /// The number of active requests to a server.
    func active(_ server: ExchangeLabels.Server) -> Meter {
        active.instrument(for: server) {
            Meter(
                label: "http.client.active_requests",
                dimensions: $0.dimensions,
                factory: factory
            )
        }
    }
}

/// Instruments by their labels.
final class InstrumentTable<Labels: BoundedLabels, Instrument: Sendable>: Sendable {
    /// The most combinations of labels in each step but the last: hosts of redirects, for one, are the servers' choice.
    let limit: Int
    /// Those of each step.
    private let made = Guarded([[Labels: Instrument]](repeating: [:], count: Labels.lastStep + 1))

    init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// Returns the instrument for some labels, or for those of the first step that has room.
    ///
    /// - Parameters:
    ///   - labels: The labels.
    ///   - make: Makes an instrument. It runs outside of the lock, because a factory may take long, or use the table. Of
    ///     two that are made at once, the later isn't used. It isn't destroyed either: its factory may have returned the
    ///     same twice.
    /// - Returns: The instrument.
    func instrument(for labels: Labels, _ make: (Labels) -> Instrument) -> Instrument {
        var (new, newStep) = (nil as Instrument?, 0)
        while true {
            let (step, known) = made.withLock { made -> (Int, Instrument?) in
                let step = openStep(for: labels, in: made)
                let reduced = labels.reduced(to: step)
                if made[step][reduced] == nil, step == newStep { made[step][reduced] = new }
                return (step, made[step][reduced])
            }
            if let known { return known }
            (new, newStep) = (make(labels.reduced(to: step)), step)
        }
    }

    /// The first step in which the labels are known, or have room.
    private func openStep(for labels: Labels, in made: [[Labels: Instrument]]) -> Int {
        (0..<Labels.lastStep)
            .first { made[$0].count < limit || made[$0][labels.reduced(to: $0)] != nil }
            ?? Labels.lastStep
    }
}
