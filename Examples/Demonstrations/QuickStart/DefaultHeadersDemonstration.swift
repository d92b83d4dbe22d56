import NetKit

/// A request with header fields, which replace the endpoint's fields of the same name.
final class GreetingRequest: Request {
    typealias ResponseObjectType = Echo

    let path = "get"
    let headers: HTTPHeaders = [.acceptLanguage: "de", "X-Trace": "abc"]
}

struct DefaultHeadersDemonstration: Demonstration {
    let name = "default-headers"
    let summary = "default header fields for all requests of an endpoint"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        // Every later request sends these fields. Set them again when they change.
        context.endpoint.headers = [.acceptLanguage: "en", "X-Client": "examples/1.0"]
        context.endpoint.headers.authToken = .bearer("fake-token")
        context.endpoint.useAsDefault()

        context.asked("GreetingRequest().execute().onSuccess { … }.onFail { … }")
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<Echo>()
        GreetingRequest()
            .execute()
            .onSuccess { echo in answer.succeed(echo) }
            .onFail { error in answer.fail(error) }
        let seen = try await answer.value.headers
        let names = ["Accept-Language", "Authorization", "X-Client", "X-Trace"]
        context.cameBack(
            names.map { "\($0): \(seen[$0]?.all.first ?? "-")" }.joined(separator: "\n")
        )
        try context.expect(
            seen["X-Client"]?.all == ["examples/1.0"]
                && seen["Authorization"]?.all == ["Bearer fake-token"],
            "the request sent the endpoint's fields"
        )
        try context.expect(
            seen["X-Trace"]?.all == ["abc"] && seen["Accept-Language"]?.all == ["de"],
            "the request's fields replaced the endpoint's"
        )

        context.asked("try await GreetingRequest().execute().value")
        let same = try await GreetingRequest().execute().value.headers
        context.cameBack("X-Client: \(same["X-Client"]?.all.first ?? "-")")
        try context.expect(
            names.allSatisfy { same[$0]?.all == seen[$0]?.all },
            "async sent the same fields"
        )
    }
}
