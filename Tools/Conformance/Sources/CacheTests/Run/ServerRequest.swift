import Foundation
import NetKit

/// A request as the server saw it, and the fields that it answered with on purpose.
struct ServerRequest: Sendable {
    let number: Int?
    let method: String
    /// By names in lower case.
    let fields: [String: String]
    let responseFields: [(name: String, value: String)]

    init(_ json: JSONValue) throws {
        number = json["request_num"]?.integer
        method = try json.text("request_method")
        guard case .object(let members) = json["request_headers"] else {
            throw UnknownForm("request_headers of the server's state")
        }
        fields = members.compactMapValues(Self.text)
        responseFields =
            try json["response_headers"]?.elements("response_headers")
            .map { field in
                let name = try (field[0]?.stringValue).orMissing("a field's name in the state")
                return (name, try field[1].flatMap(Self.text).orMissing("the value of \(name)"))
            } ?? []
    }

    /// A value, or several joined by ", ".
    private static func text(_ json: JSONValue) -> String? {
        switch json {
        case .string(let text): text
        case .number(let number): number.description
        case .array(let values): values.compactMap(\.stringValue).joined(separator: ", ")
        default: nil
        }
    }
}
