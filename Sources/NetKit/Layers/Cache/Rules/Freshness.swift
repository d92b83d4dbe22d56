import Foundation

/// How long a stored response is fresh, and how old it is, in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable {
    let lifetime: Double
    let age: Double
    let control: CacheControl

    /// Looks at a stored response.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - date: The current time.
    init(of head: StoredHead, at date: Date) {
        control = CacheControl(fieldValue: head.headers[.cacheControl] ?? "")
        let sent = Self.date(of: head)
        lifetime = Self.lifetime(of: head.status, head.headers, control, sent: sent)
        age = Self.age(of: head, sent: sent, at: date)
    }

    var isFresh: Bool { lifetime > age }

    /// Until when a stored response is fresh.
    static func expirationDate(of head: StoredHead) -> Date {
        let freshness = Freshness(of: head, at: head.responseDate)
        return head.responseDate + (freshness.lifetime - freshness.age)
    }

    /// By how many seconds it is stale.
    var staleness: Double { max(0, age - lifetime) }

    /// When the response was made: the time of receipt where the server does not say.
    private static func date(of head: StoredHead) -> Date {
        head.headers[.date].flatMap { HTTPDate.parse($0) } ?? head.responseDate
    }

    /// The lifetime: what the server says, else an estimate.
    ///
    /// `s-maxage` is for shared caches.
    static func lifetime(
        of status: HTTPStatus,
        _ headers: HTTPHeaders,
        _ control: CacheControl,
        sent: Date
    ) -> Double {
        if let seconds = control.seconds(of: "max-age") { return seconds }
        if let field = headers[.expires] {
            // An invalid date means that the time is over (section 5.3).
            return HTTPDate.parseStrictly(field).map { max(0, $0.timeIntervalSince(sent)) } ?? 0
        }
        guard isHeuristicallyCacheable(status) || control.has("public"),
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

    /// The age (section 4.2.3).
    private static func age(of head: StoredHead, sent: Date, at date: Date) -> Double {
        // The field has whole seconds.
        let apparent = max(0, head.responseDate.timeIntervalSince(sent).rounded(.down))
        let resident = max(0, date.timeIntervalSince(head.responseDate))
        guard let stated = statedAge(head.headers) else { return apparent + resident }
        let delay = max(0, head.responseDate.timeIntervalSince(head.requestDate))
        return max(apparent, stated + delay) + resident
    }

    /// The `Age` field: the first of several; nil for one that is no number.
    private static func statedAge(_ headers: HTTPHeaders) -> Double? {
        guard let field = headers[.age] else { return nil }
        let first = field.utf8.prefix { $0 != UInt8(ascii: ",") }
        return CacheControl.seconds(String(Substring(first)).trimmedOfBlanks)
    }
}
