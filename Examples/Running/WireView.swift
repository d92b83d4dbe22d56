import Foundation
import NetKit
import NetKitTesting

/// The requests of one server as text, each printed once.
struct WireView {
    private let server: MockServer
    /// The server's name, when there are several servers.
    private let name: String?
    private var shown = 0

    /// Header fields that every request has, omitted from the output.
    private static let dull: Set<String> = [
        "host", "connection", "accept-encoding", "accept-language",
    ]

    /// Whether a field says nothing about its request, such as the engine's own `User-Agent`.
    private static func isDull(_ name: String, _ value: String) -> Bool {
        let name = name.lowercased()
        if name == "user-agent" { return value.hasPrefix("NetKit/") || value.contains("curl/") }
        return dull.contains(name)
    }

    init(server: MockServer, name: String?) {
        self.server = server
        self.name = name
    }

    /// Returns the requests received since the last call of this function.
    mutating func news() -> [String] {
        let requests = server.requests
        defer { shown = requests.count }
        return requests.dropFirst(shown).map(text)
    }

    private func text(_ request: RecordedRequest) -> String {
        let place = name.map { "   (to \($0))" } ?? ""
        var lines = ["\(request.method) \(request.target)\(place)"]
        // URLSession sends header fields in any order.
        for (name, value) in request.headers.sorted(by: { $0.name.rawName < $1.name.rawName })
        where !Self.isDull(name.rawName, value) {
            lines.append("\(name): \(value)")
        }
        if !request.body.isEmpty { lines += ["", text(request.body)] }
        return lines.joined(separator: "\n")
    }

    private func text(_ body: Data) -> String {
        guard body.count <= 1_000, let text = String(data: body, encoding: .utf8) else {
            return "(\(body.count) bytes)"
        }
        return text.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .newlines)
    }
}
