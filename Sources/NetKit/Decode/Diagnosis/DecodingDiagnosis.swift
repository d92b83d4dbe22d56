import Foundation

extension DecodingFailure {
    /// Diagnoses why decoding `body` as `type` failed.
    init(
        _ error: DecodingError,
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) {
        let path = JSONPath(error.context.codingPath)
        var place = path
        var expected: String?
        var found = (JSONText.kind(of: body, at: path) ?? JSONKind(foundBy: error))?.description
        var isMalformed = false
        let problem: String
        switch error {
        case .typeMismatch(let wanted, _), .valueNotFound(let wanted, _):
            let form = DateForm(of: error, wanted: wanted) {
                DecodingTrace.failure(decoding: type, from: body, using: decoder)
            }
            expected = form == nil ? Self.name(of: wanted) : "Date"
            problem =
                form?.problem(found: found, using: decoder)
                ?? "expected \(Self.name(of: wanted)), found \(found ?? "something else")"
        case .keyNotFound(let key, _):
            place = path.appending(key)
            found = nil
            problem = "the key is missing"
        default:
            if path.steps.isEmpty, let syntax = Self.syntaxError(of: body) {
                problem = syntax.description
                isMalformed = true
                found = nil
            } else {
                // JSONDecoder says little about a value that doesn't fit, so this decodes again with a trace.
                let last = DecodingTrace.failure(decoding: type, from: body, using: decoder)
                place = last.map { JSONPath($0.path) } ?? path
                expected = last?.name ?? "\(type)"
                found = JSONText.kind(of: body, at: place)?.description
                problem =
                    last.flatMap { DateForm($0) }?.problem(found: found, using: decoder)
                    ?? Self.misfit(of: found, as: last?.type ?? type)
            }
        }
        self.init(
            type: "\(type)",
            path: place.description,
            expected: expected,
            found: found,
            problem: problem,
            isMalformed: isMalformed,
            underlying: error
        )
    }

    /// Says that a value of the right kind is none of a type.
    private static func misfit(of found: String?, as type: any Any.Type) -> String {
        let found = found ?? "a value"
        if found == JSONKind.number.description, !(type is any RawRepresentable.Type) {
            return "expected \(type), found \(found) that does not fit"
        }
        return
            "found \(found) that is no \(type is any RawRepresentable.Type ? "case of " : "")\(type)"
    }

    /// Describes a decoding failure in a format other than JSON.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - type: The type to decode.
    ///   - format: The name of the format, such as "a property list".
    init(_ error: DecodingError, decoding type: Any.Type, as format: String) {
        var path = JSONPath(error.context.codingPath)
        var expected: String?
        let problem: String
        switch error {
        case .typeMismatch(let wanted, _), .valueNotFound(let wanted, _):
            expected = Self.name(of: wanted)
            problem = "expected \(Self.name(of: wanted))"
        case .keyNotFound(let key, _):
            path = path.appending(key)
            problem = "the key is missing"
        default:
            problem = path.steps.isEmpty ? "the body is not \(format)" : "the value does not fit"
        }
        self.init(
            type: "\(type)",
            path: path.description,
            expected: expected,
            found: nil,
            problem: problem,
            underlying: error
        )
    }

    /// Describes text that isn't JSON, or a number that doesn't fit in a `Decimal`.
    init(_ error: JSONSyntaxError, decoding type: Any.Type) {
        self.init(
            type: "\(type)",
            path: "",
            expected: nil,
            found: nil,
            problem: error.description,
            isMalformed: true,
            underlying: .dataCorrupted(
                .init(codingPath: [], debugDescription: "the body is not JSON: \(error)")
            )
        )
    }

    private static func syntaxError(of body: Data) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONText.any(of: body)
            return nil
        } catch {
            return error
        }
    }

    /// Returns a type's name.
    ///
    /// Foundation's containers have the names of their JSON kinds.
    private static func name(of type: Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
        }
    }
}

extension DecodingError {
    fileprivate var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "")
        }
    }
}

extension JSONKind {
    /// Parses the kind from JSONDecoder's message.
    ///
    /// A key strategy changes the body's keys, so the body can't be searched for the value.
    fileprivate init?(foundBy error: DecodingError) {
        let text = error.context.debugDescription
        let words: [(String, JSONKind)] = [
            ("found a dictionary", .object), ("found an array", .array),
            ("found a string", .string),
            ("found number", .number), ("found bool", .boolean), ("found null", .null),
        ]
        guard let match = words.first(where: { text.contains($0.0) }) else { return nil }
        self = match.1
    }
}

extension JSONPath {
    /// Creates the path that a coding path describes.
    init(_ codingPath: [any CodingKey]) {
        self.init(steps: codingPath.map(Step.init))
    }

    fileprivate func appending(_ key: any CodingKey) -> JSONPath {
        JSONPath(steps: steps + [Step(key)])
    }
}

extension JSONPath.Step {
    fileprivate init(_ key: any CodingKey) {
        // Keys of arrays read "Index 3", and keys of dictionaries with integer keys read "3".
        if let index = key.intValue, key.stringValue != String(index) {
            self.init(String(index))
        } else {
            self.init(member: key.stringValue)
        }
    }
}
