import Foundation
import NetKit

/// The lifetime and age of a stored response in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable {
    /// The tolerated number of seconds that a clock is set back.
    private static let tolerance = 60.0

    let lifetime: Double
    let age: Double
    /// Whether the clock was set back since, so that the response may be of any age.
    private let isAgeUnknown: Bool

    /// Computes the freshness of a stored response.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - date: The current date.
    init(of head: StoredHead, at date: Date) {
        lifetime = head.terms.lifetime
        let resident = date.timeIntervalSince(head.responseDate)
        let age = head.terms.initialAge + max(0, resident)
        isAgeUnknown = resident < -Self.tolerance
        self.age = isAgeUnknown ? max(age, lifetime) : age
    }

    var isFresh: Bool { lifetime > age }

    /// The number of seconds since the response became stale, infinite if that is unknown.
    var staleness: Double { isAgeUnknown ? .infinity : max(0, age - lifetime) }

    /// Returns the date until which a stored response is fresh.
    static func expirationDate(of head: StoredHead) -> Date {
        head.responseDate + (head.terms.lifetime - head.terms.initialAge)
    }
}

/// The freshness information in a response's fields.
struct FreshnessTerms: Hashable, Sendable {
    private(set) var control = CacheControl()
    /// The lifetime in seconds: the server's, or else an estimate.
    private(set) var lifetime = 0.0
    /// The age in seconds on arrival.
    private(set) var initialAge = 0.0

    init() {}

    /// Parses the fields of a response.
    init(of head: StoredHead) {
        control = head.headers.cacheControl
        // Without a `Date` field, the response counts as sent when it arrived.
        let sent =
            head.headers[.date].flatMap { HTTPDate.parse($0) } ?? head.responseDate
        lifetime = lifetime(of: head.status, head.headers, sent: sent)
        initialAge = Self.initialAge(of: head, sent: sent)
    }

    /// Returns the lifetime.
    ///
    /// `s-maxage` is ignored, because it is for shared caches.
    private func lifetime(of status: HTTPStatus, _ headers: HTTPHeaders, sent: Date) -> Double {
        if let seconds = control.seconds(of: "max-age") { return seconds }
        if let field = headers[.expires] {
            // An invalid date means that the response has expired (section 5.3).
            return HTTPDate.parseStrictly(field).map { max(0, $0.timeIntervalSince(sent)) } ?? 0
        }
        guard Self.isHeuristicallyCacheable(status) || control.has("public"),
            let modified = headers[.lastModified].flatMap({ HTTPDate.parse($0) })
        else { return 0 }
        return max(0, sent.timeIntervalSince(modified) / 10)
    }

    /// Returns whether the lifetime may be estimated for a status code (RFC 9110, section 15.1).
    static func isHeuristicallyCacheable(_ status: HTTPStatus) -> Bool {
        switch status.rawValue {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Returns the age on arrival (section 4.2.3).
    private static func initialAge(of head: StoredHead, sent: Date) -> Double {
        // The field has whole seconds.
        let apparent = max(0, head.responseDate.timeIntervalSince(sent).rounded(.down))
        guard let stated = statedAge(head.headers) else { return apparent }
        let delay = max(0, head.responseDate.timeIntervalSince(head.requestDate))
        return max(apparent, stated + delay)
    }

    /// Returns the first `Age` value, or nil if it isn't a number.
    private static func statedAge(_ headers: HTTPHeaders) -> Double? {
        guard let field = headers[.age] else { return nil }
        let first = field.utf8.prefix { $0 != UInt8(ascii: ",") }
        return CacheControl.seconds(String(Substring(first)).trimmedOfBlanks)
    }
}
