import Foundation
import NetKit
import NetKitSupport

/// The parts of a URL that a route compares.
struct StubAddress {
    /// `https://host:port`; nil if the text is a path.
    let origin: String?
    /// The path with its escapes and a leading slash.
    let path: String
    /// The decoded query items.
    let query: [(name: String, value: String)]
    /// What stands behind the question mark, as it is written; empty without one.
    private let writtenQuery: Substring

    init(_ url: URL) {
        self.init(url.absoluteString)
    }

    /// Parses an absolute URL, or a path with or without a leading slash.
    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let address = text.prefix { $0 != "?" }
        writtenQuery = text.dropFirst(address.count)
        query = FormFields.items(in: writtenQuery.dropFirst().utf8)
        guard let scheme = address.firstRange(of: "://"),
            !address[..<scheme.lowerBound].contains("/")
        else {
            origin = nil
            path = address.hasPrefix("/") ? String(address) : "/\(address)"
            return
        }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" }
        let host = authority.split(separator: "@").last ?? ""
        origin = address[..<scheme.upperBound].lowercased() + host.lowercased()
        let rest = address[authority.endIndex...]
        path = rest.isEmpty ? "/" : String(rest)
    }

    /// The path and the query, as they are sent.
    var target: String { path + writtenQuery }

    /// The path's segments, with their escapes.
    var segments: [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}
