import NetKit

/// A header field as a test names it: a date may be so many seconds from the server's time.
struct Field: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
    }

    let name: String
    var value: Value

    init(_ json: JSONValue) throws {
        name = try (json[0]?.stringValue).orMissing("a field's name")
        value =
            if let text = json[1]?.stringValue {
                .text(text)
            } else {
                .number(try (json[1]?.integer).orMissing("the value of \(name)"))
            }
    }

    init(_ name: String, _ value: Value) {
        (self.name, self.value) = (name, value)
    }

    /// The field's value where it is text.
    var text: String? {
        guard case .text(let text) = value else { return nil }
        return text
    }
}

extension Field.Value: CustomStringConvertible {
    var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

/// What a test wants of a header field.
enum FieldExpectation: Sendable, Hashable {
    case present(String)
    case equal(Field)
    /// `["A", "=", "B"]`: both fields have the same value.
    case same(String, as: String)
    /// `["Age", ">", 2]`
    case greater(String, than: Int)

    init(_ json: JSONValue) throws {
        if let name = json.stringValue {
            self = .present(name)
            return
        }
        let parts = try json.elements("an expected field")
        guard parts.count > 2 else {
            self = .equal(try Field(json))
            return
        }
        let name = try parts[0].stringValue.orMissing("an expected field's name")
        switch parts[1].stringValue {
        case "=": self = .same(name, as: try parts[2].stringValue.orMissing("a field to compare"))
        case ">": self = .greater(name, than: try parts[2].integer.orMissing("a number to compare"))
        default: throw UnknownForm("an operator of an expected field: \(parts[1])")
        }
    }
}
