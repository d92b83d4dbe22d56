internal import Foundation
@_spi(Transports) public import NetKit
internal import NetKitSupport

/// A route of a ``StubTransport``.
public struct Stub: Hashable, Sendable, CustomStringConvertible {
    /// The number of the route in its transport, counted from 1.
    public let number: Int
    /// The method; nil for any.
    public let method: HTTPMethod?
    /// The path as written in the test.
    public let path: String
    /// The module and file that added the route.
    public let fileID: String
    /// The line that added the route.
    public let line: Int

    /// The method, path and location: `GET /users/{id} (Tests/UserTests.swift:12)`.
    public var description: String {
        "\(method?.rawValue ?? "any method") \(RedactedURL(target: path)) (\(fileID):\(line))"
    }
}

/// The error for a request without a matching route.
///
/// It is the underlying error of a ``TransportError`` of kind `.other`.
public struct UnmatchedRequest: DescribedCause, Hashable {
    /// The method and URL, without the query's values.
    public let request: String
    /// The nearest routes, at most three.
    public let nearest: [Stub]
    /// For each of these, what keeps it from answering although its method and path match; nil if they don't.
    let obstacles: [String?]

    /// A description in one line, with the request and the nearest routes.
    public var description: String {
        guard !nearest.isEmpty else { return "no stub answers \(request): there are none" }
        let names = zip(nearest, obstacles).map { "\($0)\($1.map { ", which \($0)" } ?? "")" }
            .joined(separator: ", ")
        return "no stub answers \(request); nearest: \(names)\(remedy)"
    }

    /// What to write if a route would answer the request below the path of the base URL.
    private var remedy: String {
        let words = request.split(separator: " ")
        guard words.count == 2, obstacles.allSatisfy({ $0 == nil }) else { return "" }
        let segments = StubAddress(String(words[1])).segments
        for stub in nearest where stub.method == nil || stub.method?.rawValue == String(words[0]) {
            let address = StubAddress(stub.path)
            // Only a segment without a placeholder is evidence.
            guard !address.isAbsolute,
                address.segments.contains(where: { !"{:*".contains($0.first ?? "*") })
            else { continue }
            let pattern = StubPattern(nil, address.path)
            for count in 1..<segments.count {
                let rest = segments[count...].joined(separator: "/")
                guard let url = URL(string: "https://stub.invalid/\(rest)"),
                    pattern.match(.get, url) != nil
                else { continue }
                let base = segments[..<count].joined(separator: "/")
                return "; for a base URL with a path, make a StubTransport(basePath: \"/\(base)\")"
            }
        }
        return ""
    }
}

@_spi(Transports) extension UnmatchedRequest: LastingCause {}

/// The error for unused routes and unmatched requests.
public struct StubError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The routes that answered too few requests.
    public let unused: [Stub]
    /// The requests that no route answered, one line for each.
    public let unmatched: [String]

    /// A description in one line, with all of them.
    public var description: String {
        let unused = unused.map { "unused stub: \($0)" }
        let unmatched = unmatched.map { "request without a stub: \($0)" }
        return (unused + unmatched).joined(separator: "; ")
    }
}
