package import Foundation

/// A duration with a unit and at most three significant digits: `60 s`, `250 ms`, `12.3 ms`.
///
/// From 1000 seconds, it has whole seconds.
package struct DurationText: CustomStringConvertible, Sendable {
    /// The formatted duration.
    package let description: String

    /// Formats a duration.
    ///
    /// - Parameter duration: The duration. A negative one counts as zero.
    package init(_ duration: Duration) {
        var value = max(0, duration / .microseconds(1))
        guard value > 0 else {
            description = "0 s"
            return
        }
        var units = ["µs", "ms", "s"][...]
        // A value that rounds to four digits uses the next unit.
        while value >= 999.5, units.count > 1 {
            value /= 1_000
            units.removeFirst()
        }
        description = "\(Self.digits(of: value)) \(units.first ?? "s")"
    }

    private static func digits(of value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let factor = decimals == 2 ? 100.0 : decimals == 1 ? 10.0 : 1.0
        // A duration has at most 2^63 seconds, which is 3 digits too many for Int as hundredths only in microseconds.
        guard let scaled = Int64(exactly: (value * factor).rounded()) else { return "\(value)" }
        guard decimals > 0 else { return "\(scaled)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(factor))
        guard rest > 0 else { return "\(whole)" }
        var fraction = String(repeating: "0", count: decimals - "\(rest)".count) + "\(rest)"
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}

/// A date in RFC 3339 and ISO 8601 format, in UTC: `2024-02-29T12:30:00Z`.
///
/// Milliseconds are included if there are any: `2024-02-29T12:30:00.250Z`.
package struct ISO8601Text: CustomStringConvertible, Sendable {
    /// The formatted date.
    package let description: String

    /// Formats a date, to the nearest millisecond.
    ///
    /// - Parameter date: The date. The result is nil outside the years 0 to 9999.
    package init?(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // From 0000-01-01T00:00:00Z up to, but not including, 10000-01-01T00:00:00Z.
        guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else {
            return nil
        }
        let (seconds, fraction) = CivilDate.floorDivide(Int64(milliseconds), by: 1000)
        let (days, second) = CivilDate.split(seconds)
        let date = CivilDate(days: days)
        let digits = CivilDate.digits
        var text = "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
        text += "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2))"
        text += ":\(digits(second % 60, 2))"
        if fraction > 0 { text += ".\(digits(Int(fraction), 3))" }
        description = text + "Z"
    }

    /// Parses a date, in the Gregorian calendar even before 1582, which Foundation's parser leaves for the Julian one.
    ///
    /// - Parameters:
    ///   - text: A date such as `2024-02-29T12:30:00.25+01:00`, with any number of decimals. The zone can also be
    ///     `Z`, `+0100` or `+01`.
    ///   - needsZone: Whether a date without a zone is refused. Otherwise, it is in UTC.
    /// - Returns: The date, or nil for any other text and for a date that doesn't exist.
    package static func parse(_ text: String, needsZone: Bool = true) -> Date? {
        var reader = DigitReader(text: text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            reader.skip(":"), let second = reader.number(2)
        else { return nil }
        // RFC 3339 has leap seconds, and ISO 8601 the end of a day.
        let isEnd = hour == 24 && minute == 0 && second == 0
        guard hour < 24 || isEnd, minute < 60, second < 61, (1...12).contains(month) else {
            return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists, let fraction = reader.fraction(), hour < 24 || fraction == 0,
            let offset = reader.offset(needsZone: needsZone), reader.isAtEnd
        else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: date.start + Double(seconds) + fraction)
    }
}

/// A reader of the parts of a date.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, let number = Substring(digits).asciiNumber(as: Int.self) else {
            return nil
        }
        rest.removeFirst(count)
        return number
    }

    /// Reads the decimals of a second, zero without any.
    mutating func fraction() -> Double? {
        guard skip(".") || skip(",") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        // A Double has 17 digits at most.
        return Double("0.\(Substring(digits.prefix(18)))")
    }

    /// Reads a zone as the seconds by which it is ahead of UTC.
    mutating func offset(needsZone: Bool) -> Int? {
        if skip("Z") || skip("z") { return 0 }
        if rest.isEmpty, !needsZone { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if skip(":") || !rest.isEmpty {
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        let offset = (hours * 60 + minutes) * 60
        return isBehind ? -offset : offset
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// ISO 8601, with milliseconds if there are any.
    ///
    /// Encoding throws an `EncodingError` for a date outside the years 0 to 9999.
    package static let withFractionsIfAny = Self.custom { date, encoder in
        guard let text = ISO8601Text(date) else {
            throw EncodingError.invalidValue(
                date,
                .init(codingPath: encoder.codingPath, debugDescription: "no year of 4 digits")
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(text.description)
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// ISO 8601, with or without fractions of a second.
    package static let withOrWithoutFractions = Self.custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let date = ISO8601Text.parse(text) { return date }
        throw DecodingError.dataCorruptedError(
            in: container,
            debugDescription: "not a date as ISO 8601 writes it: \(text.debugDescription)"
        )
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to 0 … 285 years.
    package var clampedNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        // A Duration of more than 2^63 seconds has no components.
        guard self < .seconds(9_000_000_000 as Int64) else { return 9_000_000_000_000_000_000 }
        let (seconds, attoseconds) = components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

extension Duration {
    /// Creates a timeout: at least one millisecond, and effectively unlimited for NaN.
    package init(timeout seconds: TimeInterval) {
        guard seconds < 9_000_000_000 else {
            self = .seconds(9_000_000_000 as Int64)
            return
        }
        // A Duration can't have a number of seconds beyond 2^63.
        self.init(timeout: .seconds(max(0, seconds)))
    }

    /// Creates a timeout of at least one millisecond and at most 9 billion seconds, which is effectively unlimited.
    package init(timeout limit: Duration) {
        self = min(max(.milliseconds(1), limit), .seconds(9_000_000_000 as Int64))
    }
}
