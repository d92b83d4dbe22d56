import Foundation

/// Reads how long a server wants to be left alone.
enum RetryAfter {
    /// How long to wait after a response, nil if it does not say.
    ///
    /// `Retry-After` counts, and without one the fields that rate limiters send with a 429. Dates are
    /// compared with the response's own `Date`, as the clocks of client and server need not agree.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - now: The time now.
    /// - Returns: The wait, not negative.
    static func delay(of head: ResponseHead, now: Date = Date()) -> Duration? {
        let date = head.headers[.date].flatMap { HTTPDate.parse($0) } ?? now
        if let text = head.headers[.retryAfter], let delay = delay(text, now: date) { return delay }
        guard head.status == 429 else { return nil }
        for name in resets {
            guard let text = head.headers[name], let delay = reset(text, now: date) else {
                continue
            }
            return delay
        }
        return head.headers["RateLimit"].flatMap { rateLimit($0) }
    }

    /// How long to wait, as `Retry-After` says it (RFC 9110, section 10.2.3).
    ///
    /// - Parameters:
    ///   - text: The field's value: seconds, or a date.
    ///   - now: The time now.
    /// - Returns: The wait, not negative; nil if the value is neither.
    static func delay(_ text: String, now: Date = Date()) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if isNumber(text[...]) { return .seconds(Int64(text) ?? .max / 4) }
        guard let date = HTTPDate.parse(text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)).rounded(.up))
    }

    /// Fields that have become custom, in seconds from now or as a Unix time.
    private static let resets: [HTTPHeaderName] = [
        "RateLimit-Reset", "X-RateLimit-Retry-After", "X-RateLimit-Reset-After",
        "X-RateLimit-Reset",
        "X-Rate-Limit-Reset",
    ]

    private static func reset(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let seconds = Double(text), seconds >= 0, seconds < 1e15 else { return nil }
        // No server asks for a wait of fifteen years.
        let wait = seconds > 5e8 ? max(0, seconds - now.timeIntervalSince1970) : seconds
        return .seconds(wait.rounded(.up))
    }

    /// The `t` of `"default";r=0;t=30`, the form of the draft for `RateLimit`.
    private static func rateLimit(_ text: String) -> Duration? {
        for parameter in text.split(separator: ";") {
            let parts = parameter.split(separator: "=")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0] == "t", isNumber(parts[1][...]) else { continue }
            return Int64(parts[1]).map { .seconds($0) }
        }
        return nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
