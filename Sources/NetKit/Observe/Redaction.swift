package import Foundation

/// What is not shown where a request or a response is written down.
///
/// Bodies are shown as they are: no redaction looks into them.
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
    /// marked sensitive, and fields and query values whose names speak of a token, an API key, a
    /// secret, password, session or signature.
    ///
    /// A user name and password in a URL, and its fragment, are left out as well.
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
        guard hidesSecrets else { return url.absoluteString }
        let text = url.absoluteString.prefix { $0 != "#" }
        let address = Self.withoutUser(text.prefix { $0 != "?" })
        guard let mark = text.firstIndex(of: "?") else { return address }
        let query = text[text.index(after: mark)...]
            .split(separator: "&", omittingEmptySubsequences: false)
            .map { part in
                let name = part.prefix { $0 != "=" }
                return isSecret(queryName: name) ? "\(name)=\(Self.encodedMark)" : String(part)
            }
        return "\(address)?\(query.joined(separator: "&"))"
    }

    private static let encodedMark = "redacted"

    private static func withoutUser(_ address: Substring) -> String {
        let scheme = address.prefix { $0 != "/" }
        let rest = address.dropFirst(scheme.count)
        guard rest.hasPrefix("//") else { return String(address) }
        let authority = rest.dropFirst(2).prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(address) }
        return "\(scheme)//\(rest[rest.index(after: at)...])"
    }

    private func isSecret(queryName: Substring) -> Bool {
        let name = (queryName.removingPercentEncoding ?? String(queryName)).lowercased()
        return queryNames.contains(name) || Self.secretNames.contains(name)
            || SecretNames.suggests(name)
    }

    /// Names that say nothing inside longer ones: there is `postcode`, `keyword` and `author`.
    private static let secretNames: Set<String> = [
        "auth", "code", "key", "otp", "pass", "pin", "pwd", "sid", "sig",
    ]
}
