import NetKit
import NetKitPaging
import NetKitTesting

/// Polls for a result until it is ready, and repeats a request until its value changes.
struct PollingDemonstration: Demonstration {
    let name = "polling"
    let summary = "poll the Location of a 202 until the result is ready, and watch a value"
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
            "try await endpoint.poll(ReportRequest(), backoff: .constant(.milliseconds(20)))"
        )
        let response = try await context.endpoint
            .poll(ReportRequest(), backoff: .constant(.milliseconds(20)))
        context.cameBack("\(response.value) after \(response.attempts) requests")
        try context.expect(response.value.pages == 12, "the result was decoded")
        try context.expect(response.attempts == 3, "the call sent three requests")

        context.asked(
            "for try await state in endpoint.repeating(StateRequest(), every: .milliseconds(20))"
        )
        try context.ownServer().enqueue(.text("waiting"), .text("printing"), .text("printed"))
        var states: [String] = []
        for try await state in context.endpoint
            .repeating(StateRequest(), every: .milliseconds(20))
        {
            states.append(state)
            if state == "printed" { break }
        }
        context.cameBack(states.joined(separator: ", "))
        try context.expect(states.count == 3, "the loop sent a request for each value")
    }
}
