import Foundation
import NetKit

extension ConversationTarget {
    /// Returns the members of the problem that a failure has (RFC 9457), or the error without one.
    func problem() async throws -> JSONValue {
        let endpoint = try setting.endpoint()
        let request = DefaultRequest<Data, ProblemDetails>(path: path, responseDecoding: .data)
        var output: JSONValue = ["error": "there is none"]
        do {
            _ = try await endpoint.value(for: request)
        } catch {
            output = ["error": .string("\(error)")]
            if let problem = error.serverError { output = Self.members(of: problem) }
        }
        await endpoint.shutdown()
        return output
    }

    private static func members(of problem: ProblemDetails) -> JSONValue {
        [
            "type": JSONValue(problem.type),
            "title": JSONValue(problem.title),
            "status": problem.status.map { .number(Decimal($0)) } ?? .null,
            "detail": JSONValue(problem.detail),
            "instance": JSONValue(problem.instance),
            "extensions": .object(problem.extensions),
            "message": .string(problem.message),
        ]
    }
}
