import Foundation

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// How long to wait.
    ///
    /// - Parameters:
    ///   - text: The field's value: seconds, or a date.
    ///   - now: The time now.
    /// - Returns: The wait, not negative; nil if the value is neither.
    static func delay(_ text: String, now: Date = Date()) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text) ?? .max / 4)
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)).rounded(.up))
    }
}
