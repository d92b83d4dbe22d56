import Foundation

/// A parser of dates in `Expires`, as browsers read them (RFC 6265bis, section 5.1.1).
///
/// Servers use more than the three forms of HTTP, so each part is recognized separately, in any order.
enum CookieDate {
    /// Parses a date.
    ///
    /// - Parameter text: A date in UTC, such as `Wed, 09 Jun 2027 10:18:14 GMT` or `9-jun-27 10:18:14`.
    /// - Returns: The date, or nil if a part is missing or invalid.
    static func parse(_ text: String) -> Date? {
        var (time, day, month, year): (Int?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2)?.value {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4)?.value {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard year >= 1601, time >= 0 else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        return Date(timeIntervalSince1970: Double(date.days * 86_400 + time))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the leading number of a token, and the rest after its digits.
    private static func number<Token: Collection<UInt8>>(
        _ token: Token,
        digits: ClosedRange<Int>
    ) -> (value: Int, rest: Token.SubSequence)? {
        let found = token.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
        let rest = token[found.endIndex...]
        guard digits.contains(found.count), rest.first.map({ (0x30...0x39).contains($0) }) != true
        else { return nil }
        return (found.reduce(0) { $0 * 10 + Int($1 - 0x30) }, rest)
    }

    /// Returns the second of the day for a time such as `10:18:14`.
    ///
    /// A negative result means an invalid time. Nil means that the token isn't a time.
    private static func time(_ token: some Collection<UInt8>) -> Int? {
        guard let hour = number(token, digits: 1...2), hour.rest.first == colon,
            let minute = number(hour.rest.dropFirst(), digits: 1...2), minute.rest.first == colon,
            let second = number(minute.rest.dropFirst(), digits: 1...2)
        else { return nil }
        guard hour.value < 24, minute.value < 60, second.value < 60 else { return -1 }
        return (hour.value * 60 + minute.value) * 60 + second.value
    }

    private static let colon = UInt8(ascii: ":")

    /// Returns the month whose first three letters begin the token.
    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let letters = token.prefix(3).map { HTTPToken.folded($0) }
        return months.firstIndex { $0.utf8.elementsEqual(letters) }.map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
