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
    public var description: String { text(quoting: nil) }

    /// The ``description``, with the title of an HTML page that arrived instead of JSON.
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
