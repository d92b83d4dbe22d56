package import Foundation

/// Parses the delay that a server asks for.
package enum RetryAfter {
    /// Returns the delay that a response asks for, or nil if it asks for none.
    ///
    /// It reads `Retry-After`, or else the fields that rate limiters send with a 429. Dates are relative to the
    /// response's own `Date`, because the clocks of client and server may differ.
    ///
    /// - Parameters:
    ///   - status: The response's status code.
    ///   - now: The current date.
    ///   - field: Returns the value of a header field.
    /// - Returns: The delay, which isn't negative.
    package static func delay(
        status: Int,
        now: Date,
        _ field: (String) -> String?
    ) -> Duration? {
        let date = field("Date").flatMap { HTTPDate.parse($0) } ?? now
        if let text = field("Retry-After"), let delay = delay(text, now: date) { return delay }
        guard status == 429 else { return nil }
        for name in resets {
            guard let text = field(name), let delay = reset(text, now: date) else { continue }
            return delay
        }
        return field("RateLimit").flatMap { rateLimit($0) }
    }

    /// Parses a `Retry-After` value (RFC 9110, section 10.2.3).
    ///
    /// A fraction of seconds, which some servers send, is rounded up. Of several values, the longest delay counts.
    ///
    /// - Parameters:
    ///   - text: The field value: seconds or a date.
    ///   - now: The current date.
    /// - Returns: The delay, which isn't negative, or nil if the value is invalid.
    package static func delay(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        // Those of a server and its proxy, joined. A date has a comma after its day.
        var values: [String] = []
        for part in text.split(separator: ",") {
            if let day = values.last, day.allSatisfy(\.isLetter) {
                values[values.count - 1] += ",\(part)"
            } else {
                values.append(part.trimmingCharacters(in: .whitespaces))
            }
        }
        if values.count > 1 {
            let delays = values.map { delay($0, now: now) }
            return delays.contains(nil) ? nil : delays.compactMap { $0 }.max()
        }
        if isNumber(text[...]) { return .seconds(Int64(text) ?? .max / 4) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, parts.allSatisfy({ isNumber($0) }), let seconds = Double(text) {
            return .seconds(min(seconds, 1e15).rounded(.up))
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)).rounded(.up))
    }

    /// Common nonstandard fields, in seconds from now or as a Unix time.
    private static let resets = [
        "RateLimit-Reset", "X-RateLimit-Retry-After", "X-RateLimit-Reset-After",
        "X-RateLimit-Reset",
        "X-Rate-Limit-Reset",
    ]

    private static func reset(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let seconds = Double(text), seconds >= 0, seconds < 1e15 else { return nil }
        // A number above 15 years must be a Unix time, and a much larger one is in milliseconds.
        let time = seconds > 1e11 ? seconds / 1_000 : seconds
        let wait = time > 5e8 ? max(0, time - now.timeIntervalSince1970) : time
        return .seconds(wait.rounded(.up))
    }

    /// Parses `"day";r=0;t=3600, "minute";r=9;t=30`, the draft form of `RateLimit`.
    ///
    /// - Returns: The longest `t` of the spent policies, which have `r=0`, or else of those without `r`.
    private static func rateLimit(_ text: String) -> Duration? {
        var longest: [Bool?: Int64] = [:]
        for policy in withoutQuotations(text).split(separator: ",") {
            var (isSpent, seconds) = (Bool?.none, Int64?.none)
            for parameter in policy.split(separator: ";") {
                let parts = parameter.split(separator: "=")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                guard parts.count == 2, isNumber(parts[1][...]) else { continue }
                if parts[0] == "t" { seconds = Int64(parts[1]) }
                if parts[0] == "r" { isSpent = Int64(parts[1]) == 0 }
            }
            guard let seconds, isSpent != false else { continue }
            longest[isSpent] = max(longest[isSpent] ?? 0, seconds)
        }
        return (longest[true] ?? longest[nil]).map { .seconds($0) }
    }

    /// Removes quoted strings, which can contain delimiters.
    private static func withoutQuotations(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\"") else {
                bytes.append(byte)
                continue
            }
            while let quoted = rest.popFirst(), quoted != UInt8(ascii: "\"") {
                if quoted == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
