import Foundation
import NetKit

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
        guard rules.mayBeStale, request.policy != .reload, !request.control.noCache else {
            return false
        }
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
        guard request.policy != .reload, !request.control.noCache, !response.noCache else {
            return .ask
        }
        if request.policy == .revalidate, !(response.has("immutable") && freshness.isFresh) {
            return .ask
        }
        if let maximum = request.control.seconds(of: "max-age"),
            freshness.age > maximum || maximum == 0, !isStaleAccepted(by: request.control)
        {
            return .ask
        }
        let margin = request.control.seconds(of: "min-fresh") ?? 0
        if freshness.isFresh, freshness.lifetime - freshness.age >= margin { return .hit }
        guard mayBeStale, margin == 0 else { return .ask }
        if isStaleAccepted(by: request.control) { return .stale(revalidates: false) }
        if let window = response.seconds(of: "stale-while-revalidate"),
            freshness.staleness <= window
        {
            return .stale(revalidates: !request.isOnlyIfCached)
        }
        return .ask
    }

    /// Returns whether the request's `max-stale` accepts the staleness.
    private func isStaleAccepted(by control: CacheControl) -> Bool {
        guard control.has("max-stale") else { return false }
        guard control.value(of: "max-stale") != nil else { return true }
        return freshness.staleness <= (control.seconds(of: "max-stale") ?? 0)
    }
}
