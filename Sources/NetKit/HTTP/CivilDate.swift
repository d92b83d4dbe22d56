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

    /// Whether the date exists.
    ///
    /// February 31, for example, doesn't.
    var exists: Bool { self == CivilDate(days: days) }

    /// Divides and rounds down, so that the remainder isn't negative.
    static func floorDivide(
        _ number: Int,
        by divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Formats a number with at least `count` digits.
    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
