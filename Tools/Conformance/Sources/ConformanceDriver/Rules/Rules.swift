import Foundation
import NetKit
import NetKitPaging

/// A rule: JSON in, JSON out.
typealias Rule = @Sendable (JSONValue) async throws -> JSONValue

/// The rules by name.
let rules: [String: Rule] = [
    "conversation": { try await $0.input(as: Conversation.self).output() },
    "cookie-dates": { try $0.input(as: CookieDateRule.self).output() },
    "cookies": { try $0.input(as: CookieRule.self).output() },
    "pages": { try await $0.input(as: ConversationTarget.self).pages() },
    "problem": { try await $0.input(as: ConversationTarget.self).problem() },
]

extension JSONValue {
    /// Decodes what a rule is asked.
    fileprivate func input<Input: Decodable>(as type: Input.Type) throws -> Input {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// A text, or null.
    init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }
}
