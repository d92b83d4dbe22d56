import Foundation
import NetKit
import NetKitTesting

/// Reads the tokens of a language model as they arrive.
struct ModelDemonstration: Demonstration {
    let name = "model"
    let summary = "stream the tokens of a model: back-off, errors in the middle, leaving early"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.enqueue(
            .status(429),
            events(of: ["Buy", " milk", "."], followedBy: "[DONE]"),
            events(
                of: ["Buy"],
                followedBy: #"{"error":{"type":"overloaded","message":"Try again later."}}"#
            ),
            events(of: Array(repeating: "more ", count: 1_000), followedBy: "[DONE]")
        )
    }

    private func events(of tokens: [String], followedBy end: String) -> MockResponse {
        let answer = tokens.map { #"{"choices":[{"delta":{"content":"\#($0)"}}]}"# } + [end]
        return .chunked(answer.map { Data("data: \($0)\n\n".utf8) }, every: .milliseconds(20))
            .header("Content-Type", "text/event-stream")
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        context.asked("for try await event in try await endpoint.stream(CompletionRequest(…))…")
        var text = ""
        try await answer(to: "What to buy?", on: endpoint) { text += $0 }
        context.cameBack("\(text), after a 429")
        try context.expect(text == "Buy milk.", "all tokens arrived, and [DONE]")

        context.asked("the same, and the model fails in the middle")
        text = ""
        var failure: ModelFailure?
        do {
            try await answer(to: "What to buy?", on: endpoint) { text += $0 }
        } catch let error as ModelFailure {
            failure = error
        }
        context.cameBack("\(text), then: \(failure?.message ?? "")")
        try context.expect(
            failure?.error.type == "overloaded",
            "an event with an error is a typed error"
        )
        let count = try context.ownServer().requests.count
        try context.expect(count == 3, "nothing is sent again after the first token")

        context.asked("the same, and the reader leaves after three tokens")
        var read = 0
        let stream = try await endpoint.stream(CompletionRequest("What to buy?"))
        for try await _ in stream.serverSentEvents {
            read += 1
            if read == 3 { break }
        }
        try await context.ownServer().waitUntilDisconnected(timeout: .seconds(60))
        context.cameBack("\(read) tokens")
        try context.expect(
            try context.ownServer().openConnectionCount == 0,
            "leaving the loop closed the connection"
        )
    }

    private func answer(
        to prompt: String,
        on endpoint: Endpoint,
        show: (String) -> Void
    ) async throws {
        let stream = try await endpoint.stream(CompletionRequest(prompt))
        for try await event in stream.serverSentEvents {
            if event.data == "[DONE]" { return }
            show(try Token.text(of: event))
        }
        throw IncompleteAnswer()
    }
}
