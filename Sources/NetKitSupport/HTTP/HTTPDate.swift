package import Foundation

/// A parser and formatter of dates in header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Parses a date.
    ///
    /// The parser also accepts two common deviations: a one-digit day, and `Sun, 06-Nov-1994 08:49:37 GMT`.
    ///
    /// - Parameter text: A date such as `Sun, 06 Nov 1994 08:49:37 GMT`, or in one of the obsolete formats: `Sunday,
    ///   06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    /// - Returns: The date, or nil for any other text.
    package static func parse(_ text: String) -> Date? {
        guard let parts = Parts(text), parts.hasWeekday, (1...2).contains(parts.day.utf8.count),
            let day = parts.day.asciiNumber(as: Int.self), let year = fullYear(parts.year),
            let month = months.firstIndex(of: parts.month), let seconds = secondOfDay(parts.time)
        else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day)
        // February 31 is an error, not March 3.
        guard date.exists else { return nil }
        return Date(timeIntervalSince1970: date.start + Double(seconds))
    }

    /// Parses a date in exactly one of the three formats, ignoring case.
    ///
    /// - Parameter text: The date.
    /// - Returns: The date, or nil for any other format.
    package static func parseStrictly(_ text: String) -> Date? {
        var isInWord = false
        let letters = text.utf8.map { byte in
            let isLetter = (0x61...0x7A).contains(byte | 0x20) && byte >= 0x41
            defer { isInWord = isLetter }
            guard isLetter else { return byte }
            return isInWord ? byte | 0x20 : byte & 0xDF
        }
        var text = String(decoding: letters, as: UTF8.self)
        if text.hasSuffix(" Gmt") { text = text.dropLast(3) + "GMT" }
        guard Parts(text)?.isStrict == true else { return nil }
        return parse(text)
    }

    /// Formats a date, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter date: The date. Fractions of a second are dropped.
    /// - Returns: The text, or nil for a date outside the years 1 to 9999.
    package static func text(of date: Date) -> String? {
        // From 0001-01-01T00:00:00Z up to, but not including, 10000-01-01T00:00:00Z.
        let time = date.timeIntervalSince1970.rounded(.down)
        guard time >= -62_135_596_800, time < 253_402_300_800 else { return nil }
        let (days, second) = CivilDate.split(Int64(time))
        let date = CivilDate(days: days)
        // January 1, 1970, was a Thursday.
        let weekday = weekdays[CivilDate.floorDivide(days + 4, by: 7).remainder]
        let digits = CivilDate.digits
        let clock = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }
        return "\(weekday), \(digits(date.day, 2)) \(months[date.month - 1])"
            + " \(digits(date.year, 4)) \(clock.joined(separator: ":")) GMT"
    }

    fileprivate static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses `08:49:37` into a second of the day.
    ///
    /// Accepts the leap second 60.
    private static func secondOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = parts[0].asciiNumber(as: Int.self), hour < 24,
            let minute = parts[1].asciiNumber(as: Int.self), minute < 60,
            let second = parts[2].asciiNumber(as: Int.self), second < 61
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    /// Expands a two-digit year, at most 50 years into the future.
    private static func fullYear(_ text: String) -> Int? {
        guard let year = text.asciiNumber(as: Int.self) else { return nil }
        if text.utf8.count == 4 { return year }
        guard text.utf8.count == 2 else { return nil }
        let current = Calendar(identifier: .gregorian).component(.year, from: Date())
        let candidate = current - current % 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }
}

/// The components of a date in any of the formats.
private struct Parts {
    enum Form {
        case fixdate, rfc850, asctime
    }

    let form: Form
    let weekday: String
    let day: String
    let month: String
    let year: String
    let time: String

    /// Splits a date into components.
    ///
    /// Nil if the text matches none of the formats.
    init?(_ text: String) {
        let space = UInt8(ascii: " ")
        let words = text.utf8
            .split(separator: space, maxSplits: 6, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        switch words.count {
        case 6 where words[5] == "GMT" && words[0].hasSuffix(","):
            form = .fixdate
            (weekday, day, month) = (String(words[0].dropLast()), words[1], words[2])
            (year, time) = (words[3], words[4])
        case 4 where words[3] == "GMT" && words[0].hasSuffix(","):
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
                .map(String.init)
            guard date.count == 3 else { return nil }
            form = .rfc850
            (weekday, day, month) = (String(words[0].dropLast()), date[0], date[1])
            (year, time) = (date[2], words[2])
        case 6 where words[2].isEmpty:
            form = .asctime
            (weekday, day, month) = (words[0], words[3], words[1])
            (year, time) = (words[5], words[4])
        case 5:
            form = .asctime
            (weekday, day, month) = (words[0], words[2], words[1])
            (year, time) = (words[4], words[3])
        default: return nil
        }
    }

    /// Whether the weekday and the number of digits match the format exactly.
    var isStrict: Bool {
        let names = form == .rfc850 ? Self.longWeekdays : HTTPDate.weekdays
        return names.contains(weekday) && (form == .asctime || day.utf8.count == 2)
            && year.utf8.count == (form == .rfc850 ? 2 : 4)
    }

    /// Whether the weekday is a valid name, short or long.
    ///
    /// It needn't match the date.
    var hasWeekday: Bool {
        HTTPDate.weekdays.contains(weekday) || Self.longWeekdays.contains(weekday)
    }

    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
}

/// A day in the proleptic Gregorian calendar.
///
/// Foundation's calendar switches to the Julian calendar before 1582, but HTTP dates don't.
struct CivilDate: Equatable, Sendable {
    let year: Int
    let month: Int
    let day: Int

    /// Creates a date from its components, without validation.
    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date that is a number of days after 1970-01-01.
    ///
    /// The algorithm uses 400-year eras that begin in March.
    init(days: Int) {
        let (era, dayOfEra) = Self.floorDivide(days + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01.
    ///
    /// An invalid day overflows into the next month.
    var days: Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = Self.floorDivide(year, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The seconds from 1970 until the start of the day, which an `Int` of 32 bits can't hold after 2038.
    var start: Double { Double(days) * 86_400 }

    /// Whether the date exists.
    ///
    /// February 31, for example, doesn't.
    var exists: Bool { self == CivilDate(days: days) }

    /// Divides and rounds down, so that the remainder isn't negative.
    static func floorDivide<Number: SignedInteger>(
        _ number: Number,
        by divisor: Number
    ) -> (quotient: Number, remainder: Number) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Splits seconds since 1970 into days and the second of the day.
    static func split(_ seconds: Int64) -> (days: Int, second: Int) {
        let (days, second) = floorDivide(seconds, by: 86_400)
        return (Int(days), Int(second))
    }

    /// Formats a number with at least `count` digits.
    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
