import Foundation

/// A decoding error with the path, the expected type, and the value found.
///
/// It is the `underlying` error of ``ErrorResponse/decoding(_:underlying:)`` whenever a `Decodable` type fails to
/// decode, and keeps the `DecodingError`. Descriptions name keys, types, and kinds of values. They never quote a value.
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

    private let problem: String

    init(
        type: String,
        path: String,
        expected: String?,
        found: String?,
        problem: String,
        underlying: DecodingError
    ) {
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
            underlying: underlying
        )
    }
}

extension DecodingFailure: Concealed, CallError {
    /// A one-line description: `items[3].price: expected Double, found a string (decoding Order)`.
    public var description: String {
        // Keys in the path may come from the server, such as those of a dictionary.
        let place = path.isEmpty ? "" : BoundedLine.text(path) + ": "
        return "\(place)\(problem) (decoding \(type))"
    }

    /// The same error as ``underlying``.
    public var underlyingError: (any Error)? { underlying }
}
