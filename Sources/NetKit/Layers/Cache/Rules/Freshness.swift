import Foundation

/// How long a stored response is fresh, and how old it is, in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable {
    /// By how many seconds a clock may be set back.
    private static let tolerance = 60.0

    let lifetime: Double
    let age: Double

    /// Looks at a stored response.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - date: The current time.
    init(of head: StoredHead, at date: Date) {
        lifetime = head.terms.lifetime
        let resident = date.timeIntervalSince(head.responseDate)
        let age = head.terms.initialAge + max(0, resident)
        // With a clock that was set back far, the age is unknown.
        self.age = resident < -Self.tolerance ? max(age, lifetime) : age
    }

    var isFresh: Bool { lifetime > age }

    /// By how many seconds it is stale.
    var staleness: Double { max(0, age - lifetime) }

    /// Until when a stored response is fresh.
    static func expirationDate(of head: StoredHead) -> Date {
        head.responseDate + (head.terms.lifetime - head.terms.initialAge)
    }
}

/// What the fields of a response say of its freshness.
struct FreshnessTerms: Hashable, Sendable {
    private(set) var control = CacheControl()
    /// For how many seconds it is fresh: what the server says, else an estimate.
    private(set) var lifetime = 0.0
    /// How many seconds old it was when it arrived.
    private(set) var initialAge = 0.0

    init() {}

    /// Reads the fields of a response.
    init(of head: StoredHead) {
        control = head.headers.cacheControl
        // The time of receipt where the server does not say when.
        let sent =
            head.headers[.date].flatMap { HTTPDate.parse($0) } ?? head.responseDate
        lifetime = lifetime(of: head.status, head.headers, sent: sent)
        initialAge = Self.initialAge(of: head, sent: sent)
    }

    /// The lifetime; `s-maxage` is for shared caches.
    private func lifetime(of status: HTTPStatus, _ headers: HTTPHeaders, sent: Date) -> Double {
        if let seconds = control.seconds(of: "max-age") { return seconds }
        if let field = headers[.expires] {
            // An invalid date means that the time is over (section 5.3).
            return HTTPDate.parseStrictly(field).map { max(0, $0.timeIntervalSince(sent)) } ?? 0
        }
        guard Self.isHeuristicallyCacheable(status) || control.has("public"),
            let modified = headers[.lastModified].flatMap({ HTTPDate.parse($0) })
        else { return 0 }
        return max(0, sent.timeIntervalSince(modified) / 10)
    }

    /// Whether the lifetime of a response with this status may be estimated (RFC 9110, section 15.1).
    static func isHeuristicallyCacheable(_ status: HTTPStatus) -> Bool {
        switch status.rawValue {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// The age on arrival (section 4.2.3).
    private static func initialAge(of head: StoredHead, sent: Date) -> Double {
        // The field has whole seconds.
        let apparent = max(0, head.responseDate.timeIntervalSince(sent).rounded(.down))
        guard let stated = statedAge(head.headers) else { return apparent }
        let delay = max(0, head.responseDate.timeIntervalSince(head.requestDate))
        return max(apparent, stated + delay)
    }

    /// The `Age` field: the first of several; nil for one that is no number.
    private static func statedAge(_ headers: HTTPHeaders) -> Double? {
        guard let field = headers[.age] else { return nil }
        let first = field.utf8.prefix { $0 != UInt8(ascii: ",") }
        return CacheControl.seconds(String(Substring(first)).trimmedOfBlanks)
    }
}
