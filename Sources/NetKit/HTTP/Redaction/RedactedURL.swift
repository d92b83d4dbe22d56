package import Foundation

/// A URL as it may be shown: without user, password, fragment and the values in its query.
package struct RedactedURL: CustomStringConvertible, Sendable {
    /// The URL with what may be secret left out: `https://host/path?name&name`.
    package let description: String

    /// Leaves out of `url` what may be secret.
    package init(_ url: URL) {
        let text = url.absoluteString
        var rest = text.prefix { $0 != "#" }
        var shown = ""
        let scheme = rest.prefix { $0 != "/" && $0 != "?" }
        if scheme.hasSuffix(":"), rest.dropFirst(scheme.count).hasPrefix("//") {
            shown += scheme + "//"
            rest = rest.dropFirst(scheme.count + 2)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            if let at = authority.lastIndex(of: "@") {
                rest = rest[rest.index(after: at)...]
            }
        }
        let address = rest.prefix { $0 != "?" }
        shown += address
        if address.endIndex < rest.endIndex {
            let query = rest[rest.index(after: address.endIndex)...]
            let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
            shown += "?" + names.joined(separator: "&")
        }
        description = shown
    }
}
