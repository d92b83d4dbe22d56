public import NetKit

/// One route of a ``StubTransport``, as ``StubTransport/unusedStubs`` names it.
public struct Stub: Hashable, Sendable, CustomStringConvertible {
    /// Which route of its transport it is, counted from 1.
    public let number: Int
    /// The method, nil for any.
    public let method: HTTPMethod?
    /// The path as the test wrote it.
    public let path: String
    /// Module and file in which the test added it.
    public let fileID: String
    /// The line in which the test added it.
    public let line: Int

    /// Method, path and place: `GET /users/{id} (Tests/UserTests.swift:12)`.
    public var description: String {
        "\(method?.rawValue ?? "any method") \(path) (\(fileID):\(line))"
    }
}

/// No route of a ``StubTransport`` answers a request; it lies beneath a ``TransportError`` of the kind
/// `.other`.
public struct UnmatchedRequest: DescribedCause, Hashable {
    /// Method and URL, without the query's values.
    public let request: String
    /// The routes that come nearest, at most three.
    public let nearest: [Stub]

    /// One line that names the request and the nearest routes.
    public var description: String {
        guard !nearest.isEmpty else { return "no stub answers \(request): there are none" }
        let names = nearest.map(\.description).joined(separator: ", ")
        return "no stub answers \(request); nearest: \(names)"
    }
}

/// What a test asked that nothing answers, and answers that nothing asked for.
public struct StubFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The routes that were not used as often as they should be.
    public let unused: [Stub]
    /// Requests that no route answers; one line each.
    public let unmatched: [String]

    /// One line that names all of them.
    public var description: String {
        let unused = unused.map { "unused stub: \($0)" }
        let unmatched = unmatched.map { "request without a stub: \($0)" }
        return (unused + unmatched).joined(separator: "; ")
    }
}
