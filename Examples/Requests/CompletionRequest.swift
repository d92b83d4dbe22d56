import Foundation
import NetKit

/// Asks a language model, whose answer arrives as events with a token each, and then `[DONE]`.
struct CompletionRequest: Request {
    typealias ResponseObjectType = Void
    typealias ErrorType = ModelFailure

    let path = "chat/completions"
    let method: HTTPMethod = .post
    let body: RequestBody?
    let headers: HTTPHeaders = [.accept: "text/event-stream"]
    let timeout: Duration = .seconds(120)
    let retryPolicy: RetryPolicy? = RetryPolicy(
        maximumRetries: 4,
        statuses: [429, 503, 529],
        methods: [.post]
    )

    init(_ prompt: String) {
        body = .json(["stream": true, "messages": [["role": "user", "content": .string(prompt)]]])
    }
}

/// What the server says of a failure, in place of the answer or in the middle of it.
struct ModelFailure: ServerError, Error, Codable {
    struct Problem: Codable {
        let type: String
        let message: String
    }

    let error: Problem

    var message: String { error.message }
}

/// A piece of the answer.
struct Token: Codable {
    struct Choice: Codable {
        struct Delta: Codable {
            let content: String?
        }

        let delta: Delta
    }

    let choices: [Choice]

    /// Returns the text of an event, or throws the failure in it.
    static func text(of event: ServerSentEvent) throws -> String {
        if let failure = try? event.decoded(to: ModelFailure.self) { throw failure }
        return try event.decoded(to: Token.self).choices.first?.delta.content ?? ""
    }
}

/// The events ended before the answer did.
struct IncompleteAnswer: Error {}
