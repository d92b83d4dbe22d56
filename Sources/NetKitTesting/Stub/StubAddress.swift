import Foundation
import NetKit

/// An address taken apart as a route looks at it.
struct StubAddress {
    /// `https://host:port`, nil where the text begins with a path.
    let origin: String?
    /// The path with its escapes; it begins with a slash.
    let path: String
    /// The query's items, decoded.
    let query: [(name: String, value: String)]

    init(_ url: URL) {
        self.init(url.absoluteString)
    }

    /// Takes apart a whole address, or a path with or without a slash in front.
    init(_ text: String) {
        let text = text.prefix { $0 != "#" }
        let address = text.prefix { $0 != "?" }
        query = FormFields.items(in: text.dropFirst(address.count).dropFirst().utf8)
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

    /// What stands between the slashes of the path, with its escapes.
    var segments: [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}
