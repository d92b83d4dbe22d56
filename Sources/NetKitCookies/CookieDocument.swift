import Foundation
import NetKit

/// The content of a cookie file.
///
/// It is a JSON document with all cookies, followed by changes. Each change is a JSON text between RS and LF (RFC 7464),
/// neither of which a JSON text needs to contain. An incomplete last change is ignored, because its writer was killed.
/// curl's Netscape format can't hold `SameSite`, the times of creation and use, or a tab in a value. The
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

    /// The identifier of a cookie that was removed.
    private struct Removed: Codable {
        var name: String
        var domain: String
        var path: String
        var isHostOnly: Bool
    }

    /// A change to the cookies before it.
    private struct Change: Codable {
        var kept: [Item]
        var removed: [Removed]
    }

    private static let separator: UInt8 = 0x1E
    private static let end = UInt8(ascii: "\n")

    private let format: Format
    private let cookies: [Item]

    /// Lists the cookies of a jar, except session cookies.
    init(_ entries: [CookieStore.Entry]) {
        format = .first
        cookies = entries.compactMap { Item($0) }
    }

    /// Encodes the content.
    func data() throws -> Data { try Self.encoder.encode(self) }

    /// Encodes changes, to be appended to the content.
    static func data(of changes: CookieStore.Changes) throws -> Data {
        let removed = changes.removed.map {
            Removed(name: $0.name, domain: $0.domain, path: $0.path, isHostOnly: $0.isHostOnly)
        }
        let change = Change(kept: changes.kept.compactMap { Item($0) }, removed: removed)
        return try Data([separator]) + encoder.encode(change) + [end]
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The content of a file.
    struct Content {
        var entries: [CookieStore.Entry]
        /// The length of the document before the changes, in bytes.
        let documentLength: Int
        /// Whether the last change is complete, so that others can follow it.
        let isComplete: Bool
    }

    /// Parses the output of ``data()``, followed by changes.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - date: The current date. Creation dates are limited to it.
    /// - Returns: The cookies, or nil if the content is invalid or contains a cookie that no field could set.
    static func content(of data: Data, at date: Date) -> Content? {
        var parts = data.split(separator: separator, omittingEmptySubsequences: false)[...]
        let isComplete = parts.count == 1 || data.last == end
        if !isComplete { parts.removeLast() }
        // The reason why a document is invalid doesn't matter.
        guard let first = parts.popFirst(),
            let document = try? JSONDecoder().decodeBounded(Self.self, from: Data(first))
        else { return nil }
        var cookies = Replay()
        guard document.cookies.allSatisfy({ cookies.keep($0, at: date) }) else { return nil }
        for part in parts {
            guard part.last == end,
                let change = try? JSONDecoder().decodeBounded(Change.self, from: Data(part)),
                change.kept.allSatisfy({ cookies.keep($0, at: date) })
            else { return nil }
            for id in change.removed {
                cookies.remove(
                    CookieStore.ID(
                        name: id.name,
                        domain: id.domain,
                        path: id.path,
                        isHostOnly: id.isHostOnly
                    )
                )
            }
        }
        let entries = cookies.entries.compactMap { $0 }
        return Content(
            entries: entries,
            documentLength: first.count,
            isComplete: isComplete
        )
    }

    /// The cookies of a file while it is read.
    private struct Replay {
        /// The cookies in the order of the file, nil for a removed one.
        var entries: [CookieStore.Entry?] = []
        private var places: [CookieStore.ID: Int] = [:]

        /// Adds or replaces a cookie.
        ///
        /// - Returns: Whether a field could set the cookie.
        mutating func keep(_ item: Item, at date: Date) -> Bool {
            guard let entry = item.entry(at: date) else { return false }
            let id = CookieStore.ID(entry.cookie)
            if let place = places[id] {
                entries[place] = entry
            } else {
                places[id] = entries.count
                entries.append(entry)
            }
            return true
        }

        mutating func remove(_ id: CookieStore.ID) {
            if let place = places.removeValue(forKey: id) { entries[place] = nil }
        }
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
