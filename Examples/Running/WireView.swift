import Foundation
import NetKitTesting

/// The requests that arrived at one server, as text, each shown once.
struct WireView {
    private let server: MockServer
    /// Which server it is, where there are several.
    private let name: String?
    private var shown = 0

    /// Headers that every request has and that say little.
    private static let dull: Set<String> = [
        "host", "connection", "user-agent", "accept-encoding", "accept-language",
    ]

    init(server: MockServer, name: String?) {
        self.server = server
        self.name = name
    }

    /// The requests that arrived since this was asked last.
    mutating func news() -> [String] {
        let requests = server.requests
        defer { shown = requests.count }
        return requests.dropFirst(shown).map(text)
    }

    private func text(_ request: RecordedRequest) -> String {
        let place = name.map { "   (at \($0))" } ?? ""
        var lines = ["\(request.method) \(request.target)\(place)"]
        // URLSession sends them in any order.
        for (name, value) in request.headers.sorted(by: { $0.name < $1.name })
        where !Self.dull.contains(name.lowercased()) {
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
