import NetKit
import NetKitTesting

/// What is not ready yet is asked for again until it is.
struct PollingDemonstration: Demonstration {
    let name = "polling"
    let summary = "a 202 with the place of the result, asked until it is there"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.enqueue(
            .status(202).header("Location", "/reports/1"),
            .status(202)
        )
        server.route("GET", "/reports/1") { _ in try .json(Report(pages: 12)) }
    }

    func run(_ context: Context) async throws {
        context.asked(
            "try await endpoint.poll(ReportRequest(), pauses: .constant(.milliseconds(20)))"
        )
        let response = try await context.endpoint
            .poll(ReportRequest(), pauses: .constant(.milliseconds(20)))
        context.cameBack("\(response.value) after \(response.attempts) requests")
        try context.expect(response.value.pages == 12, "the result was decoded")
        try context.expect(response.attempts == 3, "it was asked for as often as was needed")
    }
}
