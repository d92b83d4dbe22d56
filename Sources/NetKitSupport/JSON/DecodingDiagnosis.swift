package import Foundation

/// Why a value can't be decoded, and where.
package struct DecodingDiagnosis {
    /// The path of the part that fails, such as `a[0].b`, or empty for the whole body.
    package private(set) var path: String
    /// The expected type at the path, if known.
    package let expected: String?
    /// The kind of value found; nil without one, or if its kind is right.
    package let found: String?
    /// What is wrong, without any of the body's text.
    package let problem: String
    /// Whether the body isn't JSON.
    package let isMalformed: Bool

    package init(
        path: String = "",
        expected: String? = nil,
        problem: String,
        isMalformed: Bool = false
    ) {
        self.path = path
        self.expected = expected
        found = nil
        self.problem = problem
        self.isMalformed = isMalformed
    }

    /// The same diagnosis of a part of a body.
    package func below(_ start: JSONPath) -> DecodingDiagnosis {
        guard !start.steps.isEmpty else { return self }
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        var whole = self
        whole.path = start.description + separator + path
        return whole
    }

    /// Diagnoses why decoding `body` as `type` failed.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - type: The type to decode.
    ///   - body: The body.
    ///   - decoder: The decoder.
    ///   - syntaxError: Returns the syntax error of a body, or nil for JSON.
    package init(
        _ error: DecodingError,
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder,
        syntaxError: (Data) -> JSONSyntaxError?
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
            if path.steps.isEmpty, let syntax = syntaxError(body) {
                problem = syntax.description
                isMalformed = true
                found = nil
            } else {
                // JSONDecoder says little about a value that doesn't fit, so this decodes again with a trace.
                let last = DecodingTrace.failure(decoding: type, from: body, using: decoder)
                place = last.map { JSONPath($0.path) } ?? path
                expected = last?.name ?? "\(type)"
                // The type itself refuses one of its members.
                let isOfMember = path.steps.count > place.steps.count
                if isOfMember { place = path }
                found = JSONText.kind(of: body, at: place)?.description
                problem =
                    isOfMember
                    ? "\(last?.name ?? "\(type)") refuses \(found ?? "a value")"
                    : last.flatMap { DateForm($0) }?.problem(found: found, using: decoder)
                        ?? Self.misfit(of: found, as: last?.type ?? type)
            }
        }
        self.path = place.description
        self.expected = expected
        self.found = found
        self.problem = problem
        self.isMalformed = isMalformed
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
    var context: Context {
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
    package init(_ codingPath: [any CodingKey]) {
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

/// The form of a date that a decoder expects, by its strategy.
private struct DateForm {
    /// Creates the form if the part that failed to decode is a date.
    init?(_ step: DecodingTrace.Step) {
        guard step.type == Date.self else { return nil }
    }

    /// Creates the form if a decoding error concerns a date.
    ///
    /// JSONDecoder reports the type that a date is read as, which is `Double` by default.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - wanted: The type that it reports.
    ///   - trace: Finds the part that failed.
    init?(
        of error: DecodingError,
        wanted: any Any.Type,
        _ trace: () -> DecodingTrace.Step?
    ) {
        guard wanted == Double.self || wanted == String.self || wanted == Date.self,
            let step = trace()
        else { return nil }
        self.init(step)
    }

    /// Says what was expected and found, and what to set.
    ///
    /// - Parameters:
    ///   - found: The kind of the value, such as "a string".
    ///   - decoder: The decoder.
    /// - Returns: The problem, or nil for a strategy of the user's own, whose form isn't known.
    func problem(found: String?, using decoder: JSONDecoder) -> String? {
        let found = found ?? "something else"
        let isText = found == JSONKind.string.description
        let (form, strategy): (String, String)
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: (form, strategy) = ("a number", ".deferredToDate")
        case .secondsSince1970: (form, strategy) = ("a number", ".secondsSince1970")
        case .millisecondsSince1970: (form, strategy) = ("a number", ".millisecondsSince1970")
        case .iso8601: (form, strategy) = ("ISO 8601 text", ".iso8601")
        // A formatter or a closure, which are one case on Linux.
        default: return nil
        }
        let other = isText && form != "a number" ? "\(found) of another form" : found
        let remedy =
            isText
            ? "; assign a decoder with another strategy, such as .snakeCaseISO8601"
            : "; assign a decoder with another strategy"
        return "expected a Date as \(form) (the decoder's dateDecodingStrategy is \(strategy)), "
            + "found \(other)\(remedy)"
    }
}
