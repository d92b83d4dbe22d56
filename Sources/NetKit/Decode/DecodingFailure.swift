import Foundation

/// A decoding error with the path, the expected type, and the value found.
///
/// It is the `underlying` error of ``ErrorResponse/decoding(_:underlying:)`` whenever a `Decodable` type fails to
/// decode, and keeps the `DecodingError`. Descriptions name keys, types, and kinds of values. They never quote a value.
/// Where an HTML page arrived instead of JSON, the ``message`` has its title.
public struct DecodingFailure: Error, Sendable {
    /// The type of the whole body, or of the node at the key path.
    public let type: String
    /// The path of the failure from the body's root, such as `items[3].price`.
    ///
    /// It is empty for the root itself.
    public let path: String
    /// The expected type at ``path``, such as `Double` or "an array", if known.
    public let expected: String?
    /// The kind of value found, such as "a string" or "null".
    ///
    /// Nil if there is no value or if its kind is right.
    public let found: String?
    /// The original error, whose texts may quote the body.
    public let underlying: DecodingError

    /// What is wrong; in terms of JSON if the body isn't JSON.
    private let problem: String
    private let isMalformed: Bool
    /// What a body is that isn't JSON, if known.
    private var body: ForeignBody?
    /// The number of the line of a stream, starting at 1.
    private var line: Int?

    init(
        type: String,
        path: String,
        expected: String?,
        found: String?,
        problem: String,
        isMalformed: Bool = false,
        underlying: DecodingError
    ) {
        self.isMalformed = isMalformed
        self.type = type
        self.path = path
        self.expected = expected
        self.found = found
        self.problem = problem
        self.underlying = underlying
    }

    /// Creates the failure for an empty body.
    static func emptyBody(_ type: Any.Type) -> DecodingFailure {
        let problem = "the body is empty; it can't be decoded as \(type)"
        return DecodingFailure(
            type: "\(type)",
            path: "",
            expected: "\(type)",
            found: nil,
            problem: problem,
            underlying: .dataCorrupted(.init(codingPath: [], debugDescription: problem))
        )
    }

    /// Creates the failure for a value that has no JSON form itself.
    static func noJSON(_ value: Unencodable, decoding type: Any.Type) -> DecodingFailure {
        let problem = "the \(value.type) has no JSON form; it can't be decoded as \(type)"
        return DecodingFailure(
            type: "\(type)",
            path: value.keyPath(below: ""),
            expected: nil,
            found: nil,
            problem: problem,
            underlying: .dataCorrupted(.init(codingPath: [], debugDescription: problem))
        )
    }

    /// Returns the same failure with a path that begins at `start`.
    func below(_ start: JSONPath) -> DecodingFailure {
        guard !start.steps.isEmpty else { return self }
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return DecodingFailure(
            type: type,
            path: start.description + separator + path,
            expected: expected,
            found: found,
            problem: problem,
            isMalformed: isMalformed,
            underlying: underlying
        )
    }

    /// Returns the same failure in a line of a stream.
    func inLine(_ number: Int) -> DecodingFailure {
        var failure = self
        failure.line = number
        return failure
    }
}

extension DecodingFailure: NamesForeignBody {
    func naming(_ response: HTTPResponse) -> DecodingFailure {
        guard isMalformed else { return self }
        var failure = self
        failure.body = ForeignBody(response)
        return failure
    }
}

extension DecodingFailure: Concealed, CallError {
    /// A one-line description: `items[3].price: expected Double, found a string (decoding Order)`.
    package var shown: String { text(quoting: nil) }

    /// The `description`, with the title of an HTML page that arrived instead of JSON.
    public var message: String { text(quoting: body?.title) }

    private func text(quoting title: String?) -> String {
        // Keys in the path may come from the server, such as those of a dictionary.
        let place = path.isEmpty ? "" : BoundedLine.text(path) + ": "
        let quotation = title.map { " (\"\($0)\")" } ?? ""
        if isMalformed {
            let whole = line.map { "line \($0)" } ?? "the body"
            let text = ForeignBody.text(problem, of: body, in: whole)
            return "\(place)\(text)\(quotation) (decoding \(type))"
        }
        return "\(line.map { "line \($0): " } ?? "")\(place)\(problem) (decoding \(type))"
    }

    /// The same error as ``underlying``.
    public var underlyingError: (any Error)? { underlying }
}

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

/// The form of a date that a decoder expects, by its strategy.
struct DateForm {
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

/// What a body is that was read as JSON, by its Content-Type or its first bytes.
struct ForeignBody: Hashable, Sendable {
    /// The media type without parameters, such as `text/html`, or the name of the format, such as `HTML`.
    let type: String
    /// Whether it is a page, so that a reason in terms of JSON says nothing.
    let isPage: Bool
    /// The title of a page, in the server's words.
    let title: String?

    /// Finds out what the body of a response is; nil if it is JSON, or nothing says what it is.
    init?(_ response: HTTPResponse) {
        let declared = response.headers.contentType
        let name = declared.map { BoundedLine.text("\($0.type)/\($0.subtype)", maximum: 80) }
        if let page = ServerWords.page(in: response) {
            type = page.isDeclared ? name ?? page.format : page.format
            (isPage, title) = (true, page.title)
        } else if let name, !name.contains("json") {
            (type, isPage, title) = (name, false, nil)
        } else {
            return nil
        }
    }

    /// Says what was wrong with a body, as a part of a line.
    ///
    /// - Parameters:
    ///   - problem: What is wrong in terms of JSON.
    ///   - body: What was read, or nil if nothing is known of it.
    ///   - place: What isn't JSON. Defaults to the body.
    /// - Returns: The text.
    static func text(
        _ problem: String,
        of body: ForeignBody?,
        in place: String = "the body"
    ) -> String {
        guard let body else { return "\(place) is not JSON: \(problem)" }
        guard !body.isPage else { return "expected JSON, got \(body.type)" }
        return "\(place) is not JSON: \(problem); its Content-Type is \(body.type)"
    }
}

/// An error that can say what a body is that isn't JSON.
protocol NamesForeignBody: Error {
    /// The same error, which names what the body of the response is.
    func naming(_ response: HTTPResponse) -> Self
}
