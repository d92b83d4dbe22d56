import Foundation

/// The content of a cookie file.
///
/// It is JSON, as the Netscape format of curl has no place for `SameSite`, for the times of creation and use, which order
/// and evict cookies, and for a tab in a value. Dates are seconds since 2001-01-01T00:00:00Z, exact to the bit.
struct CookieDocument: Codable {
    /// Tells a jar's file from any other JSON.
    private enum Format: String, Codable {
        case first = "NetKit cookies 1"
    }

    /// A cookie and what the jar knows of it.
    fileprivate struct Item: Codable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var expires: Date
        var isSecure: Bool
        var isHTTPOnly: Bool
        /// The attribute as cookies spell it.
        var sameSite: String?
        var creation: Date
        var lastUse: Date
    }

    private let format: Format
    private let cookies: [Item]

    /// Lists the cookies of a jar, without those of the session.
    init(_ entries: [CookieStore.Entry]) {
        format = .first
        cookies = entries.compactMap { Item($0) }
    }

    /// The content as it is written.
    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Reads what ``data()`` wrote.
    ///
    /// - Parameters:
    ///   - data: The bytes of a file.
    ///   - date: The current date: later ones are no times of creation.
    /// - Returns: The cookies; nil for anything else, and for a cookie that no field can set.
    static func entries(in data: Data, at date: Date) -> [CookieStore.Entry]? {
        // Why a document is not valid makes no difference.
        guard JSONText.nestingExcess(of: data) == nil,
            let document = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
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

    /// The cookie; nil for one that no field can set.
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

    /// Whether name, value, domain and path are such as a field can set.
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
