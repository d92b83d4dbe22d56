import Foundation
import NetKitSupport

/// The parts of a URL that a route compares.
struct StubAddress {
    private let written: WrittenPath
    /// The path with its escapes and a leading slash.
    let path: String

    init(_ url: URL) {
        self.init(url.absoluteString)
    }

    /// Parses an absolute URL, or a path with or without a leading slash.
    init(_ text: String) {
        written = WrittenPath(text)
        var path = written.path
        if written.isAbsolute {
            path = path.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        }
        self.path = path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// Whether the text is an absolute URL.
    var isAbsolute: Bool { written.isAbsolute }

    /// The origin of an absolute URL; nil for a path, or if the URL is invalid.
    var origin: Origin? { isAbsolute ? written.address.flatMap { Origin($0) } : nil }

    /// The decoded query items.
    var query: [(name: String, value: String)] {
        FormFields.items(in: (written.query ?? "").utf8)
    }

    /// The query items with decoded names, and with the escapes of their values.
    var writtenQuery: [(name: String, value: Substring)] {
        (written.query ?? "").split(separator: "&")
            .map { item in
                let parts = item.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let name = FormFields.percentDecoded(parts[0].utf8, plusIsSpace: true)
                return (name, parts.count == 2 ? parts[1] : "")
            }
    }

    /// The path and the query, as they are sent.
    var target: String { path + (written.query.map { "?\($0)" } ?? "") }

    /// The path's segments, with their escapes.
    var segments: [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}
