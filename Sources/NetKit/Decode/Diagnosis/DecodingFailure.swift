import Foundation

/// A body is not what it was to be decoded to: where, what was expected, what is there.
///
/// It is the `underlying` error of ``ErrorResponse/decoding(_:underlying:)`` whenever `Decodable` failed,
/// and keeps the `DecodingError`. Descriptions name keys, types and kinds of values, and quote no value.
public struct DecodingFailure: Error, Sendable {
    /// The type the whole body, or the node at the key path, was to be decoded to.
    public let type: String
    /// The way to what failed, from the body's root: `items[3].price`, empty for the root itself.
    public let path: String
    /// The type that was expected at ``path``, such as `Double` or "an array", if it is known.
    public let expected: String?
    /// What is there instead, such as "a string" or "null"; nil if nothing is, or if its kind is right.
    public let found: String?
    /// What was thrown while decoding; its texts may quote the body.
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

    /// The failure to make a value of nothing.
    static func emptyBody(_ type: Any.Type) -> DecodingFailure {
        let problem = "the body is empty; \(type) cannot be made from nothing"
        return DecodingFailure(
            type: "\(type)",
            path: "",
            expected: "\(type)",
            found: nil,
            problem: problem,
            underlying: .dataCorrupted(.init(codingPath: [], debugDescription: problem))
        )
    }

    /// The same failure of a node that was itself found at `start`.
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
    /// One lower-case line: `items[3].price: expected Double, found a string (decoding Order)`.
    public var description: String {
        // Keys in the path may be the server's, as those of a dictionary are.
        let place = path.isEmpty ? "" : BoundedLine.text(path) + ": "
        return "\(place)\(problem) (decoding \(type))"
    }

    /// The same as ``underlying``.
    public var underlyingError: (any Error)? { underlying }
}
