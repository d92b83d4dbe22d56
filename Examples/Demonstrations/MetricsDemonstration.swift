import NetKit
import NetKitTesting

/// The durations of attempts and calls, with their dimensions.
struct MetricsDemonstration: Demonstration {
    let name = "metrics"
    let summary = "measure each attempt and each call"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.enqueue(.status(503))
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    func run(_ context: Context) async throws {
        context.asked("endpoint.observation.registerMeasurements { measurement in … }")
        let (measurements, sink) = AsyncStream.makeStream(of: CallMeasurement.self)
        let token = context.endpoint.observation.registerMeasurements { sink.yield($0) }
        let login = LoginWithFacebookRequest(token: "fake-token")
        _ = try await login.execute(on: context.endpoint, retrying: 1).value
        context.endpoint.observation.unregister(token)
        sink.finish()
        var all: [CallMeasurement] = []
        for await measurement in measurements {
            all.append(measurement)
            let names = measurement.dimensions.map { "\($0)=\($1)" }.joined(separator: " ")
            context.cameBack(
                "\(measurement.scope.name): \(names), \(Layout.milliseconds(measurement.duration))"
            )
        }
        try context.expect(
            all.map(\.scope) == [.attempt(1), .attempt(2), .call(attempts: 2)],
            "there are measurements of two attempts and of their call"
        )
    }
}
