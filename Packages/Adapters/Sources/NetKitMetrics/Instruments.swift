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

    /// The most combinations of labels: hosts of redirects, for one, are the servers' choice.
    static let maximumCombinations = 1_000

    private struct Made {
        var exchanges: [ExchangeLabels: Exchange] = [:]
        var active: [ExchangeLabels.Server: Meter] = [:]
    }

    private let factory: any MetricsFactory
    private let made = Guarded(Made())

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// The metrics for some labels.
    func of(_ labels: ExchangeLabels) -> Exchange {
        made.withLock { made in
            if let known = made.exchanges[labels] { return known }
            let isOther = made.exchanges.count >= Self.maximumCombinations
            let labels = isOther ? .other : labels
            if let known = made.exchanges[labels] { return known }
            let exchange = Exchange(labels.dimensions, factory)
            made.exchanges[labels] = exchange
            return exchange
        }
    }

    /// The number of active requests to a server.
    func active(_ server: ExchangeLabels.Server) -> Meter {
        made.withLock { made in
            if let known = made.active[server] { return known }
            let isOther = made.active.count >= Self.maximumCombinations
            let server = isOther ? .other : server
            if let known = made.active[server] { return known }
            let meter = Meter(
                label: "http.client.active_requests",
                dimensions: server.dimensions,
                factory: factory
            )
            made.active[server] = meter
            return meter
        }
    }
}
