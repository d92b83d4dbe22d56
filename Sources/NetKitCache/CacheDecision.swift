import Foundation
import NetKit
import NetKitSupport

/// A cache's decision about a request (RFC 9111, section 4).
enum CacheDecision: Hashable, Sendable {
    /// Use the stored response, which is fresh.
    case hit
    /// Use the stored response, which is stale, and optionally validate it in the background.
    case stale(revalidates: Bool)
    /// Ask the server, with a validation if there is a stored response.
    case ask
    /// Answer with 504, because the request must not be sent.
    case refuse

    /// Makes the decision.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - stored: The stored response, or nil.
    ///   - isRepeated: Whether this is a retry. A stored error never answers a retry.
    ///   - date: The current date.
    init(
        for request: CacheRequest,
        _ stored: StoredHead?,
        isRepeated: Bool,
        at date: Date
    ) {
        guard let stored else {
            self = request.isOnlyIfCached ? .refuse : .ask
            return
        }
        let rules = StoredRules(stored, request, at: date)
        if isRepeated, !stored.status.isSuccessful, !request.isOnlyIfCached {
            self = .ask
        } else if request.policy == .onlyIfCached {
            // Even a stale response, unless the server forbids it.
            self = rules.isFresh ? .hit : rules.mayBeStale ? .stale(revalidates: false) : .refuse
        } else {
            self = rules.decision
            if self == .ask, request.isOnlyIfCached { self = .refuse }
        }
    }

    /// Returns whether a stored response may replace an error (RFC 5861, section 4).
    static func isUsableOnError(
        _ stored: StoredHead,
        _ request: CacheRequest,
        at date: Date
    ) -> Bool {
        let rules = StoredRules(stored, request, at: date)
        guard rules.mayBeStale, !request.isReload else { return false }
        let allowed = [rules.response, request.control]
            .compactMap { $0.seconds(of: "stale-if-error") }
            .max()
        return allowed.map { rules.freshness.staleness <= $0 } ?? false
    }
}

/// A stored response from the point of view of one request.
private struct StoredRules {
    let freshness: Freshness
    let response: CacheControl
    private let request: CacheRequest

    init(_ stored: StoredHead, _ request: CacheRequest, at date: Date) {
        freshness = Freshness(of: stored, at: date)
        response = stored.terms.control
        self.request = request
    }

    /// Whether the response is fresh and needs no validation.
    var isFresh: Bool { freshness.isFresh && !response.noCache }

    /// Whether the server allows use of the stale response (section 4.2.4).
    var mayBeStale: Bool { !response.noCache && !response.has("must-revalidate") }

    var decision: CacheDecision {
        guard !request.isReload, !response.noCache else { return .ask }
        if request.policy == .revalidate, !(response.has("immutable") && freshness.isFresh) {
            return .ask
        }
        if let maximum = request.control.seconds(of: "max-age"),
            freshness.age > maximum || maximum == 0,
            !isAccepted(freshness.age - maximum, by: request.control)
        {
            return .ask
        }
        let margin = request.control.seconds(of: "min-fresh") ?? 0
        if freshness.isFresh, freshness.lifetime - freshness.age >= margin { return .hit }
        guard mayBeStale, margin == 0 else { return .ask }
        if isAccepted(freshness.staleness, by: request.control) {
            return .stale(revalidates: false)
        }
        if let window = response.seconds(of: "stale-while-revalidate"),
            freshness.staleness <= window
        {
            return .stale(revalidates: !request.isOnlyIfCached)
        }
        return .ask
    }

    /// Returns whether the request's `max-stale` accepts an age that is some seconds beyond a limit.
    private func isAccepted(_ excess: Double, by control: CacheControl) -> Bool {
        guard control.has("max-stale") else { return false }
        guard control.value(of: "max-stale") != nil else { return true }
        return excess <= (control.seconds(of: "max-stale") ?? 0)
    }
}

/// A request that the cache may answer, with its cache directives.
struct CacheRequest: Sendable {
    /// The directives of the request's own `Cache-Control` field.
    let control: CacheControl
    let policy: CachePolicy
    /// Whether the request is a HEAD, which only needs a stored head.
    let isHead: Bool

    /// Parses a request, or returns nil if it bypasses the cache.
    ///
    /// Methods other than GET and HEAD, range requests, requests with their own validators, event streams, and
    /// `no-store` bypass the cache.
    init?(_ request: EncodedRequest, policy: CachePolicy) {
        guard policy != .noStore, request.method == .get || request.method == .head,
            request.body == nil
        else { return nil }
        let headers = request.headers
        var control: CacheControl?
        for field in headers.fields {
            if Self.isExcluding(field) { return nil }
            if field.name == .cacheControl { control = headers.cacheControl }
        }
        self.control = control ?? CacheControl()
        guard control?.noStore != true else { return nil }
        isHead = request.method == .head
        self.policy = policy
    }

    /// Returns whether a field makes the request bypass the cache.
    private static func isExcluding(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name
        switch name.rawName.utf8.count {
        case 5: return name == .range
        case 6: return name == .accept && EventStream.isNamed(in: field.value)
        case 8: return name == .ifRange || name == .ifMatch
        case 13: return name == .ifNoneMatch
        case 17: return name == .ifModifiedSince
        case 19: return name == .ifUnmodifiedSince
        default: return false
        }
    }

    /// Whether no stored response may answer the request without a validation.
    var isReload: Bool { policy == .reload || control.noCache }

    /// Whether the request must not be sent.
    var isOnlyIfCached: Bool { policy == .onlyIfCached || control.has("only-if-cached") }

    /// The `Cache-Control` value that the policy adds.
    var addedControl: String? {
        switch policy {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .standard, .onlyIfCached, .noStore: nil
        }
    }
}

/// The media type of event streams, which are never stored.
enum EventStream {
    private static let name = Array("text/event-stream".utf8)

    /// Returns whether a field value names the type, ignoring case.
    static func isNamed(in value: String) -> Bool {
        guard value.utf8.count >= name.count else { return false }
        return value.utf8
            .split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") })
            .contains { part in
                part.drop { $0 == 0x20 || $0 == 0x09 }.prefix(name.count)
                    .elementsEqual(name) { HTTPToken.folded($0) == $1 }
            }
    }
}

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
        let delay = max(0, head.responseDate.timeIntervalSince(head.requestDate))
        return max(apparent, (statedAge(head.headers) ?? 0) + delay)
    }

    /// Returns the first `Age` value, or nil if it isn't a number.
    private static func statedAge(_ headers: HTTPHeaders) -> Double? {
        guard let field = headers[.age] else { return nil }
        let first = field.utf8.prefix { $0 != UInt8(ascii: ",") }
        return CacheControl.seconds(String(Substring(first)).trimmedOfBlanks)
    }
}
