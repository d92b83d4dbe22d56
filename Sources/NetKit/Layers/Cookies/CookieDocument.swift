import Foundation

/// The content of a cookie file.
///
/// It is JSON. curl's Netscape format can't hold `SameSite`, the times of creation and use, or a tab in a value. The
/// times determine the order and the eviction of cookies. Dates are exact seconds since 2001-01-01T00:00:00Z.
struct CookieDocument: Codable {
    /// Distinguishes a jar's file from other JSON.
    private enum Format: String, Codable {
        case first = "NetKit cookies 1"
    }

    /// A cookie with the jar's data about it.
    fileprivate struct Item: Codable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var expires: Date
        var isSecure: Bool
        var isHTTPOnly: Bool
        /// The attribute as spelled in cookies.
        var sameSite: String?
        var creation: Date
        var lastUse: Date
    }

    private let format: Format
    private let cookies: [Item]

    /// Lists the cookies of a jar, except session cookies.
    init(_ entries: [CookieStore.Entry]) {
        format = .first
        cookies = entries.compactMap { Item($0) }
    }

    /// Encodes the content.
    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Parses the output of ``data()``.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - date: The current date. Creation dates are limited to it.
    /// - Returns: The cookies, or nil if the content is invalid or contains a cookie that no field could set.
    static func entries(in data: Data, at date: Date) -> [CookieStore.Entry]? {
        // The reason why a document is invalid doesn't matter.
        guard let document = try? JSONDecoder().decodeBounded(Self.self, from: data) else {
            return nil
        }
        let entries = document.cookies.compactMap { $0.entry(at: date) }
        return entries.count == document.cookies.count ? entries : nil
    }
}

extension CookieDocument.Item {
    fileprivate init?(_ entry: CookieStore.Entry) {
        let cookie = entry.cookie
        guard let expires = cookie.expires else { return nil }
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            isHostOnly: cookie.isHostOnly,
            path: cookie.path,
            expires: expires,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite?.rawValue,
            creation: entry.creation,
            lastUse: entry.lastUse
        )
    }

    /// Returns the cookie, or nil if no field could set it.
    fileprivate func entry(at date: Date) -> CookieStore.Entry? {
        guard isPossible else { return nil }
        let cookie = Cookie(
            name: name,
            value: value,
            domain: domain,
            isHostOnly: isHostOnly,
            path: path,
            expires: min(expires, date.addingTimeInterval(Cookie.maximumAge)),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite.flatMap { Cookie.SameSite(rawValue: $0) }
        )
        guard cookie.keepsPromises(namingPath: true) else { return nil }
        return CookieStore.Entry(cookie, creation: min(creation, date), lastUse: min(lastUse, date))
    }

    /// Whether a field could set the name, value, domain, and path.
    private var isPossible: Bool {
        let isNamed = !name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }
        return SetCookieField.canKeep(name, value) && isNamed
            && !value.utf8.contains(UInt8(ascii: ";"))
            && [name, value, path].allSatisfy { $0.isFieldValue && $0 == $0.trimmedOfBlanks }
            && sameSite.map { Cookie.SameSite(rawValue: $0) != nil } ?? true
            && path.utf8.first == UInt8(ascii: "/") && CookieURL.isHost(domain)
            && (isHostOnly || !PublicSuffixes.contains(domain))
    }
}
