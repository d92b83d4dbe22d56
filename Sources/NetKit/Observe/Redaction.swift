package import Foundation

/// What is not shown where a request or a response is written down.
public struct Redaction: Sendable {
    /// What stands where something was left out.
    package static let mark = "‹redacted›"

    private let hidesSecrets: Bool
    private let headers: Set<HTTPHeaderName>
    private let queryNames: Set<String>

    /// Shows everything, secrets too.
    public static var none: Redaction {
        Redaction(hidesSecrets: false, headers: [], queryNames: [])
    }

    /// Hides `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization`, fields that are
    /// marked sensitive, and fields and query values whose names speak of a token, key, secret,
    /// password or signature.
    ///
    /// A user name and password in a URL are hidden as well.
    public static var secrets: Redaction {
        Redaction(hidesSecrets: true, headers: [], queryNames: [])
    }

    /// Hides these, and what ``secrets`` hides.
    ///
    /// - Parameters:
    ///   - headers: Fields whose values are hidden.
    ///   - queryNames: Names in a query whose values are hidden, in any case.
    public init(headers: Set<HTTPHeaderName>, queryNames: Set<String> = []) {
        self.init(hidesSecrets: true, headers: headers, queryNames: queryNames)
    }

    private init(hidesSecrets: Bool, headers: Set<HTTPHeaderName>, queryNames: Set<String>) {
        self.hidesSecrets = hidesSecrets
        self.headers = headers
        self.queryNames = Set(queryNames.map { $0.lowercased() })
    }

    /// The value of a field as it may be shown.
    package func shown(_ value: String, of name: HTTPHeaderName, in fields: HTTPHeaders) -> String {
        let isSecret = hidesSecrets && (fields.isSensitive(name) || name.soundsSecret)
        return isSecret || headers.contains(name) ? Self.mark : value
    }

    /// A URL as it may be shown.
    package func shown(_ url: URL) -> String {
        let text = url.absoluteString
        guard hidesSecrets else { return text }
        var (address, query) = Self.split(text)
        if let scheme = address.range(of: "://") {
            let authority = address[scheme.upperBound...].prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") {
                address.replaceSubrange(authority.startIndex...at, with: "")
            }
        }
        guard let parts = query?.split(separator: "&", omittingEmptySubsequences: false) else {
            return address
        }
        query =
            parts.map { part in
                let name = part.prefix { $0 != "=" }
                return isSecret(queryName: name) ? "\(name)=\(Self.encodedMark)" : String(part)
            }
            .joined(separator: "&")
        return "\(address)?\(query ?? "")"
    }

    private static let encodedMark = "redacted"

    private static func split(_ text: String) -> (address: String, query: String?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    private func isSecret(queryName: Substring) -> Bool {
        let name = (queryName.removingPercentEncoding ?? String(queryName)).lowercased()
        let words = ["token", "secret", "key", "password", "signature", "auth", "code"]
        return queryNames.contains(name) || words.contains { name.contains($0) }
    }
}
