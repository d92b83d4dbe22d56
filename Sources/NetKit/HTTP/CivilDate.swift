/// A day in the Gregorian calendar, before 1582 too.
///
/// Foundation's calendar is the Julian one then, in which HTTP has no dates.
struct CivilDate: Equatable, Sendable {
    let year: Int
    let month: Int
    let day: Int

    /// Makes a date of its parts, unchecked.
    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The date of a day counted from 1970-01-01, by eras of 400 years that begin in March.
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

    /// How many days it is after 1970-01-01; of a day that there is not, those of what follows the month.
    var days: Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = Self.floorDivide(year, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether there is such a day: there is no 31 February.
    var exists: Bool { self == CivilDate(days: days) }

    /// Divides, rounding down, so that the remainder is not negative.
    static func floorDivide(
        _ number: Int,
        by divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// A number in so many digits at least.
    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
