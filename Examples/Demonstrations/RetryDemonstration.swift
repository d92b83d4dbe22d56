import NetKit
import NetKitTesting

/// Retries calls after transient failures.
struct RetryDemonstration: Demonstration {
    let name = "retry"
    let summary = "retry a server that responds with 503, 503 and 200"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/orders") { _ in .json(text: #"{"number": 1815}"#, status: 201) }
    }

    func run(_ context: Context) async throws {
        let server = try context.ownServer()
        // By default the delays between attempts grow from 300 ms. Here they are short.
        context.endpoint.retryPolicy.backoff = .constant(.milliseconds(20))

        server.enqueue(.status(503), .status(503))
        context.asked("SlidesRequest().execute(on: endpoint).retryOnFail(2)")
        let slides = try await SlidesRequest()
            .execute(on: context.endpoint)
            .retryOnFail(2)
            .response
        context.cameBack("\(slides.value.count) slides after \(slides.attempts) attempts")
        try context.expect(slides.attempts == 3, "the third attempt succeeded")

        // A POST is only retried with consent. Passed here, it applies from the first attempt.
        server.enqueue(.status(503), .status(503))
        context.asked(
            #"PlaceOrderRequest(article: "fox", count: 1).execute(on: endpoint, retrying: 2)"#
        )
        let order = try await PlaceOrderRequest(article: "fox", count: 1)
            .execute(on: context.endpoint, retrying: 2)
            .response
        context.cameBack("\(order.value) after \(order.attempts) attempts")
        let keys = server.requests.suffix(3).map { $0.header("Idempotency-Key") }
        try context.expect(
            keys.count == 3 && keys[0] != nil && Set(keys).count == 1,
            "all attempts have one Idempotency-Key, so the server can detect repetitions"
        )
    }
}
