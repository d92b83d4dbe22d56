import Foundation
import NetKit

/// A request whose errors are problems (RFC 9457).
struct ProblemRule: Decodable {
    private let setting: ConversationSetting
    private let path: String

    private enum CodingKeys: CodingKey {
        case path
    }

    init(from decoder: any Decoder) throws {
        setting = try ConversationSetting(from: decoder)
        path = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .path)
    }

    /// Returns the members of the problem, or the error without one.
    func output() async throws -> JSONValue {
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
