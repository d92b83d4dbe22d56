import Foundation
import NetKit
import NetKitSupport

/// The cookies of a jar, with their rules for replacement and eviction.
///
/// See RFC 6265bis, sections 5.7 and 5.8.
struct CookieStore: Sendable {
    /// A cookie with the jar's data about it.
    struct Entry: Equatable, Sendable {
        let cookie: Cookie
        fileprivate(set) var creation: Date
        fileprivate(set) var lastUse: Date
        /// Orders entries with the same time.
        fileprivate var number = 0

        init(_ cookie: Cookie, creation: Date, lastUse: Date) {
            self.cookie = cookie
            self.creation = creation
            self.lastUse = lastUse
        }
    }

    /// What the storing of cookies did to the session that the jar's cookies stand for, in ascending order.
    enum Effect: Int {
        case none
        /// A cookie is new, or has another value.
        case changed
        case removed
    }

    /// Identifies a cookie, which replaces the one with the same identifier.
    struct ID: Hashable, Sendable {
        let domain: String
        fileprivate let key: CookieKey

        var name: String { key.name }
        var path: String { key.path }
        var isHostOnly: Bool { key.isHostOnly }

        init(name: String, domain: String, path: String, isHostOnly: Bool) {
            self.domain = domain
            key = CookieKey(name: name, path: path, isHostOnly: isHostOnly)
        }

        init(_ cookie: Cookie) {
            (domain, key) = (cookie.domain, CookieKey(cookie))
        }
    }

    /// The changes of persistent cookies since the last ones.
    struct Changes: Sendable {
        /// The new values, in the order of their creation.
        var kept: [Entry] = []
        var removed: [ID] = []
    }

    /// The maximum number of cookies per domain.
    static let maximumPerDomain = 180
    /// The maximum number of cookies.
    static let maximum = 3000

    /// The cookies of each domain by key.
    ///
    /// A cookie replaces the one with the same key.
    private var domains: [String: [CookieKey: Entry]] = [:]
    private var count = 0
    private var lastNumber = 0
    /// The earliest possible expiration date, or nil if no cookie expires.
    private var nextExpiry: Date?
    /// The number of changes to persistent cookies.
    private(set) var revision = 0
    /// The persistent cookies that have changed, for a jar with a file.
    private var changed: Set<ID> = []
    /// Whether ``takeChanges()`` is going to be called.
    private let isSaved: Bool

    /// Creates an empty store.
    ///
    /// - Parameter isSaved: Whether changes are collected for ``takeChanges()``. Defaults to false.
    init(isSaved: Bool = false) {
        self.isSaved = isSaved
    }

    var isEmpty: Bool { count == 0 }

    /// All cookies in the order of their creation, including expired ones.
    var entries: [Entry] { Array(all).ordered(by: Self.isEarlier) }

    private var all: some Sequence<Entry> { domains.values.lazy.flatMap(\.values) }

    private static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
        (left.creation, left.number) < (right.creation, right.number)
    }
}

// MARK: - Retrieval

extension CookieStore {
    /// The length of the longest domain name, in bytes (RFC 1035, section 2.3.4).
    private static var longestName: Int { 255 }

    /// Returns the cookies for a request, which count as used.
    ///
    /// Longer paths come first, then earlier ones.
    mutating func take(for url: CookieURL, at date: Date) -> [Cookie] {
        var found: [Entry] = []
        var domain = Substring(url.host)
        while true {
            // A longer domain isn't a name, and looking up each would take quadratic time. The host itself may be any.
            if domain.utf8.count <= Self.longestName || domain.startIndex == url.host.startIndex {
                found += (domains[String(domain)] ?? [:]).values
                    .filter { $0.cookie.isSent(to: url) && !$0.cookie.hasExpired(at: date) }
            }
            guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { break }
            domain = domain[dot...].dropFirst()
        }
        for cookie in found.lazy.map(\.cookie) {
            domains[cookie.domain]?[CookieKey(cookie)]?.lastUse = date
        }
        return
            found.ordered { left, right in
                let (longer, shorter) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
                return longer == shorter ? Self.isEarlier(left, right) : longer > shorter
            }
            .map(\.cookie)
    }
}

// MARK: - Storage

extension CookieStore {
    /// Stores the cookies of a response.
    ///
    /// Fields that the rules ignore have no effect.
    @discardableResult
    mutating func store(_ fields: [String], from url: CookieURL, at date: Date) -> Effect {
        let cookies = fields.compactMap { Cookie($0, from: url, at: date) }
        // Over plain http, no secure cookie is added, so this list stays complete.
        let guarded = url.isSecure ? [:] : secureCookies(named: Set(cookies.map(\.name)), at: date)
        let entries = cookies.compactMap { cookie -> Entry? in
            let secure = guarded[cookie.name] ?? []
            guard !secure.contains(where: { $0.isOverlaid(by: cookie) }) else { return nil }
            return Entry(cookie, creation: date, lastUse: date)
        }
        return insert(entries, at: date)
    }

    /// Stores cookies regardless of their origin.
    ///
    /// - Parameters:
    ///   - entries: The cookies.
    ///   - date: The current date.
    /// - Returns: The greatest effect. An eviction has none.
    @discardableResult
    mutating func insert(_ entries: [Entry], at date: Date) -> Effect {
        removeExpired(at: date)
        var changed: Set<String> = []
        var effect = Effect.none
        for entry in entries {
            let domain = entry.cookie.domain
            let own = put(entry, at: date)
            if own.rawValue > effect.rawValue { effect = own }
            changed.insert(domain)
            // One response may contain any number of cookies.
            if let count = domains[domain]?.count, count >= 2 * Self.maximumPerDomain {
                evict(from: domain)
            }
            if count >= 2 * Self.maximum { evict() }
        }
        for domain in changed { evict(from: domain) }
        evict()
        return effect
    }

    /// Removes the cookies that meet a condition.
    mutating func remove(where isRemoved: (Cookie) -> Bool) {
        for entry in Array(all) where isRemoved(entry.cookie) { remove(entry) }
    }

    /// Returns the secure cookies with some names that haven't expired.
    private func secureCookies(named names: Set<String>, at date: Date) -> [String: [Cookie]] {
        let secure = all.lazy.map(\.cookie)
            .filter { $0.isSecure && names.contains($0.name) && !$0.hasExpired(at: date) }
        return Dictionary(grouping: secure, by: \.name)
    }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> Changes {
        defer { changed = [] }
        var changes = Changes()
        for id in changed {
            if let entry = domains[id.domain]?[id.key], entry.cookie.persistent != nil {
                changes.kept.append(entry)
            } else {
                changes.removed.append(id)
            }
        }
        changes.kept = changes.kept.ordered(by: Self.isEarlier)
        return changes
    }

    private mutating func note(_ cookie: Cookie) {
        revision += 1
        if isSaved { changed.insert(ID(cookie)) }
    }

    /// Inserts an entry or replaces one.
    ///
    /// An expired entry only removes the one it replaces.
    private mutating func put(_ entry: Entry, at date: Date) -> Effect {
        var (entry, cookie) = (entry, entry.cookie)
        lastNumber += 1
        entry.number = lastNumber
        let isKept = !cookie.hasExpired(at: date)
        let old = domains[cookie.domain]?[CookieKey(cookie)]
        if let old { (entry.creation, entry.number) = (old.creation, old.number) }
        let isSame = old?.cookie.value.hasSameBytes(as: cookie.value) == true
        let persistent = isKept ? cookie.persistent : nil
        if old?.cookie.persistent != persistent || persistent != nil && !isSame { note(cookie) }
        guard isKept else {
            if let old { remove(old, isNoted: false) }
            return old == nil ? .none : .removed
        }
        if old == nil { count += 1 }
        domains[cookie.domain, default: [:]][CookieKey(cookie)] = entry
        if let expires = cookie.expires { nextExpiry = min(nextExpiry ?? expires, expires) }
        return isSame ? .none : .changed
    }

    @inline(never)
    private mutating func remove(_ entry: Entry, isNoted: Bool = true) {
        let (domain, key) = (entry.cookie.domain, CookieKey(entry.cookie))
        guard domains[domain]?.removeValue(forKey: key) != nil else { return }
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        count -= 1
        if isNoted, entry.cookie.persistent != nil { note(entry.cookie) }
    }
}

// MARK: - Eviction

extension CookieStore {
    /// Removes expired cookies.
    ///
    /// The file needn't change, because expired cookies aren't read from it.
    private mutating func removeExpired(at date: Date) {
        guard let nextExpiry, nextExpiry <= date else { return }
        for entry in Array(all) where entry.cookie.hasExpired(at: date) {
            remove(entry, isNoted: false)
        }
        self.nextExpiry = all.compactMap(\.cookie.expires).min()
    }

    /// Removes the excess cookies of a domain: insecure ones first, then the least recently used.
    @inline(never)
    private mutating func evict(from domain: String) {
        guard let entries = domains[domain], entries.count > Self.maximumPerDomain else { return }
        let sorted = Array(entries.values)
            .ordered { left, right in
                guard left.cookie.isSecure == right.cookie.isSecure else {
                    return right.cookie.isSecure
                }
                return Self.isLessUsed(left, right)
            }
        for entry in sorted.prefix(entries.count - Self.maximumPerDomain) { remove(entry) }
    }

    /// Removes the least recently used cookies beyond the maximum.
    private mutating func evict() {
        guard count > Self.maximum else { return }
        if count == Self.maximum + 1 {
            // A full jar evicts one cookie for each new one.
            if let least = all.min(by: Self.isLessUsed) { remove(least) }
            return
        }
        let sorted = Array(all).ordered(by: Self.isLessUsed)
        for entry in sorted.prefix(count - Self.maximum) { remove(entry) }
    }

    private static func isLessUsed(_ left: Entry, _ right: Entry) -> Bool {
        (left.lastUse, left.number) < (right.lastUse, right.number)
    }
}

/// The key within a domain.
///
/// A cookie replaces the one with the same key.
private struct CookieKey: Hashable, Sendable {
    let name: String
    let path: String
    let isHostOnly: Bool

    init(name: String, path: String, isHostOnly: Bool) {
        (self.name, self.path, self.isHostOnly) = (name, path, isHostOnly)
    }

    init(_ cookie: Cookie) {
        self.init(name: cookie.name, path: cookie.path, isHostOnly: cookie.isHostOnly)
    }

    static func == (left: CookieKey, right: CookieKey) -> Bool {
        left.isHostOnly == right.isHostOnly && ExactText(left.name) == ExactText(right.name)
            && ExactText(left.path) == ExactText(right.path)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(ExactText(path))
    }
}

extension Cookie {
    /// The cookie if it is persistent.
    fileprivate var persistent: Cookie? { expires == nil ? nil : self }

    /// Returns whether a cookie from plain http would shadow this secure one.
    ///
    /// See RFC 6265bis, section 5.7, step 16.
    fileprivate func isOverlaid(by cookie: Cookie) -> Bool {
        guard CookieMatch.path(path, has: cookie.path) else { return false }
        return CookieMatch.domain(domain, has: cookie.domain)
            || CookieMatch.domain(cookie.domain, has: domain)
    }
}
