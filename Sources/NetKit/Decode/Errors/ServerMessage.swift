public import Foundation

/// A server error that finds a message in any response body.
///
/// This is the default `ErrorType`.
///
/// In JSON, it searches the keys `msg`, `message`, `error_description`, `error`, `err`, `reason`, `detail`, `title`,
/// and `errors`, in this order. A value can be a string, an object with one of these keys, or an array of these. An HTML
/// page contributes its title, and other text its first line. For any other body, the message is the status, such as
/// "HTTP 404 Not Found". The message is one line of at most 200 characters.
public struct ServerMessage: ServerError, Hashable {
    /// The message.
    ///
    /// It isn't empty if it comes from a response.
    public let message: String

    /// Creates a server error for tests.
    ///
    /// - Parameter message: The message.
    public init(_ message: String) {
        self.message = message
    }

    /// Finds the message in a response.
    ///
    /// This always succeeds.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: Unused.
    /// - Returns: The message.
    /// - Throws: Nothing.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> ServerMessage {
        ServerMessage(
            ServerWords.line(in: response, readsAnyText: true) ?? StatusLine.text(of: response)
        )
    }

    private static let keys = [
        "msg", "message", "error_description", "error", "err", "reason", "detail", "title",
        "errors",
    ]

    /// Returns the message in `json`, searching at most four levels.
    static func words(in json: JSONValue) -> String? { message(in: json, depth: 0) }

    private static func message(in json: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch json {
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let elements):
            let messages = elements.compactMap { message(in: $0, depth: depth + 1) }
            return messages.isEmpty ? nil : messages.joined(separator: ", ")
        case .object(let members):
            for key in keys {
                guard let member = members[key] else { continue }
                if let found = message(in: member, depth: depth + 1) { return found }
                if key == "errors", case .object(let fields) = member {
                    return message(inFields: fields, depth: depth + 1)
                }
            }
            return nil
        case .null, .bool, .number: return nil
        }
    }

    /// Joins the messages of a form's fields: `email: is taken, name: is too long`.
    private static func message(inFields fields: [String: JSONValue], depth: Int) -> String? {
        let messages = fields.sortedByName
            .compactMap { field, problem in
                message(in: problem, depth: depth + 1).map { "\(field): \($0)" }
            }
        return messages.isEmpty ? nil : messages.joined(separator: ", ")
    }
}
