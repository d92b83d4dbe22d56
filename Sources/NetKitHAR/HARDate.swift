import Foundation
import NetKit

/// A date in the HAR format: ISO 8601 with a time zone, to the millisecond.
struct HARDate: Equatable, Sendable {
    let date: Date

    /// Creates a date, rounded to the millisecond.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.date = Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Parses a date such as `2024-02-29T12:30:00.250+01:00`.
    ///
    /// It accepts any number of decimals and `Z` as the time zone. Without a time zone, it assumes UTC.
    init?(_ text: String) {
        var plain = text
        var fraction = 0.0
        if let point = plain.firstIndex(of: ".") {
            let decimals = plain[point...].dropFirst().prefix { ("0"..."9").contains($0) }
            fraction = Double("0.\(decimals)") ?? 0
            plain.removeSubrange(point..<decimals.endIndex)
        }
        let time = plain.drop { $0 != "T" }
        if !time.hasSuffix("Z"), !time.contains("+"), !time.contains("-") { plain += "Z" }
        guard let date = try? Date.ISO8601FormatStyle().parse(plain) else { return nil }
        self.init(date.addingTimeInterval(fraction))
    }
}

extension HARDate {
    /// The date as text, or an invalid number if it has no text form.
    var json: JSONValue { ISO8601Text(date).map { .string($0.description) } ?? .number(.nan) }
}
