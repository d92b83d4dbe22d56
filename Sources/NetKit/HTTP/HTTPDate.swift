package import Foundation

/// Dates in header fields: the three forms of RFC 9110, section 5.6.7.
package enum HTTPDate {
    /// Reads a date.
    ///
    /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the obsolete forms `Sunday,
    ///   06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    /// - Returns: The date, nil if it is none of them.
    package static func parse(_ text: String) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        let parts: (day: String, month: String, year: String, time: String)
        switch words.count {
        case 6 where words[5] == "GMT": parts = (words[1], words[2], words[3], words[4])
        case 5: parts = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        let clock = parts.time.split(separator: ":", omittingEmptySubsequences: false).map(number)
        guard let day = number(parts.day[...]), let year = fullYear(parts.year),
            let month = months.firstIndex(of: parts.month),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = daysSinceEpoch(year: year, month: month + 1, day: day)
        // There is no 31 February, and 3 March is not what was meant.
        let (nextYear, nextMonth) = month == 11 ? (year + 1, 1) : (year, month + 2)
        guard days < daysSinceEpoch(year: nextYear, month: nextMonth, day: 1) else { return nil }
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    /// Writes a date: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter date: The date; fractions of a second are left out.
    /// - Returns: The text, nil outside the years 1 to 9999.
    package static func text(of date: Date) -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.era, .year, .month, .day, .hour, .minute, .second, .weekday],
            from: date
        )
        guard parts.era == 1, let year = parts.year, year <= 9999, let month = parts.month,
            let day = parts.day, let hour = parts.hour, let minute = parts.minute,
            let second = parts.second, let weekday = parts.weekday
        else { return nil }
        let clock = [hour, minute, second].map { digits($0, 2) }.joined(separator: ":")
        return "\(weekdays[weekday - 1]), \(digits(day, 2)) \(months[month - 1]) \(digits(year, 4))"
            + " \(clock) GMT"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Two digits are the nearest such year that is not more than fifty years ahead.
    private static func fullYear(_ text: String) -> Int? {
        guard let year = number(text[...]) else { return nil }
        if text.utf8.count == 4 { return year }
        guard text.utf8.count == 2 else { return nil }
        let current = Calendar(identifier: .gregorian).component(.year, from: Date())
        let candidate = current - current % 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }

    /// Days from 1 January 1970 in the Gregorian calendar, counted in years that begin in March.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
