import Metrics
public import NetKit

extension Endpoint {
    /// Gives counts and durations of attempts and calls to swift-metrics.
    @discardableResult
    public func reportMetrics(prefix: String = "http.client") -> ObservationManager.Token {
        observation.registerMeasurements { measurement in
            let label = "\(prefix).\(measurement.scope.name)"
            Counter(label: "\(label)s", dimensions: measurement.dimensions).increment()
            Timer(label: "\(label).duration", dimensions: measurement.dimensions)
                .record(duration: measurement.duration)
        }
    }
}
