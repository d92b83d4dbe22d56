package import Foundation

/// A date as RFC 3339 and ISO 8601 write it, in UTC: `2024-02-29T12:30:00Z`.
///
/// Milliseconds are written if there are any: `2024-02-29T12:30:00.250Z`.
package struct ISO8601Text: CustomStringConvertible, Sendable {
    /// The date's text.
    package let description: String

    /// Writes a date, to the nearest millisecond.
    ///
    /// - Parameter date: The date; nil is returned outside the years 0 to 9999.
    package init?(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // From 0000-01-01T00:00:00Z up to, but not including, 10000-01-01T00:00:00Z.
        guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else {
            return nil
        }
        let (seconds, fraction) = Self.floorDivide(Int64(milliseconds), by: 1000)
        let (days, second) = Self.floorDivide(seconds, by: 86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        var text = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))T"
        text += "\(Self.digits(second / 3600, 2)):\(Self.digits(second / 60 % 60, 2))"
        text += ":\(Self.digits(second % 60, 2))"
        if fraction > 0 { text += ".\(Self.digits(fraction, 3))" }
        description = text + "Z"
    }

    /// Encodes a date as its text.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - encoder: Takes one value.
    /// - Throws: `EncodingError` for a date that has no text.
    static func encode(_ date: Date, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let text = ISO8601Text(date) else {
            throw EncodingError.invalidValue(
                date,
                .init(codingPath: encoder.codingPath, debugDescription: "no year of 4 digits")
            )
        }
        try container.encode(text.description)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func floorDivide(
        _ number: Int64,
        by divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The Gregorian date of a day counted from 1970-01-01, by eras of 400 years that begin in March.
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, day)
    }
}
