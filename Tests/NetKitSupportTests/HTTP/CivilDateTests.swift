import Testing

@testable import NetKitSupport

@Suite("Civil dates")
struct CivilDateTests {
    /// The lengths of a year's months, by the Gregorian rule.
    private func lengths(_ year: Int) -> [Int] {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    @Test("counts every day of eight centuries around 1970, in both directions")
    func everyDay() {
        // 1600-01-01 is 370 years with 90 leap days before 1970.
        var days = -(370 * 365 + 90)
        for year in 1600..<2400 {
            for (month, length) in lengths(year).enumerated() {
                for day in 1...length {
                    let date = CivilDate(year: year, month: month + 1, day: day)
                    guard date.days == days, CivilDate(days: days) == date, date.exists else {
                        Issue.record("\(date), day \(days)")
                        return
                    }
                    days += 1
                }
                #expect(!CivilDate(year: year, month: month + 1, day: length + 1).exists)
                #expect(!CivilDate(year: year, month: month + 1, day: 0).exists)
            }
        }
        #expect(days == 157_054)
    }

    @Test(
        "counts days before the first year too",
        arguments: [
            (CivilDate(year: 1970, month: 1, day: 1), 0),
            (CivilDate(year: 0, month: 3, day: 1), -719_468),
            (CivilDate(year: 0, month: 1, day: 1), -719_528),
            (CivilDate(year: -1, month: 12, day: 31), -719_529),
            (CivilDate(year: -400, month: 3, day: 1), -719_468 - 146_097),
            (CivilDate(year: 9999, month: 12, day: 31), 2_932_896),
        ]
    )
    func years(date: CivilDate, days: Int) {
        #expect(date.days == days)
        #expect(CivilDate(days: days) == date)
    }

    @Test("rounds a quotient down, and pads with zeros")
    func arithmetic() {
        for number in -20...20 {
            let (quotient, remainder) = CivilDate.floorDivide(number, by: 7)
            #expect(quotient * 7 + remainder == number && (0..<7).contains(remainder))
        }
        #expect(CivilDate.digits(7, 2) == "07")
        #expect(CivilDate.digits(0, 4) == "0000")
        #expect(CivilDate.digits(123, 2) == "123")
        #expect(CivilDate.digits(12, 2) == "12")
    }
}
