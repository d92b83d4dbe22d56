import Foundation
import Testing

@testable import NetKitSupport

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "parses each of the three forms of RFC 9110",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            // Of servers that are not so strict.
            ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 2027 23:59:60 GMT", 1_830_297_600),
            ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
        ] as [(String, Double)]
    )
    func reading(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "parses strictly for fields in which a malformed date means expired",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("SUN, 06 nov 1994 08:49:37 gmt", true),
            ("Wed, 06 APR 1994 08:49:37 GMT", true), ("Sat, 06 aug 1994 08:49:37 GMT", true),
            ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("Sun Nov  6 08:49:37 1994", true),
            ("Sun Nov 16 08:49:37 1994", true), ("Tue, 06 Nov 1994 08:49:37 GMT", true),
            ("Sun, 6 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 94 08:49:37 GMT", false),
            ("Sun, 06-Nov-1994 08:49:37 GMT", false), ("Sun, 06-Nov-94 08:49:37 GMT", false),
            ("Sunday, 06 Nov 1994 08:49:37 GMT", false), ("Sun 06 Nov 1994 08:49:37 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 UTC", false), ("Sun, 06 Nov 1994 8:49:37 GMT", false),
            ("Sun, 06 Nov 1994 08.49.37 GMT", false), ("Sun, 06  Nov 1994 08:49:37 GMT", false),
            ("0", false), ("", false), ("\u{130}un, 06 Nov 1994 08:49:37 GMT", false),
        ]
    )
    func strictReading(text: String, isRead: Bool) {
        #expect((HTTPDate.parseStrictly(text) != nil) == isRead)
    }

    @Test("matches the calendar in every month of every year")
    func calendar() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: -25_000.0, to: 60_000, by: 13) {
            let date = Date(timeIntervalSince1970: day * 86_400 + 3_661)
            #expect(HTTPDate.parse(formatter.string(from: date)) == date)
        }
    }

    @Test(
        "round-trips dates before 1582",
        arguments: [
            "Mon, 01 Jan 0001 00:00:00 GMT", "Thu, 26 Dec 1013 00:00:00 GMT",
            "Thu, 14 Oct 1582 23:59:59 GMT", "Fri, 15 Oct 1582 00:00:00 GMT",
            "Wed, 31 Dec 1969 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
    )
    func oldDates(text: String) throws {
        let date = try #require(HTTPDate.parse(text))
        #expect(HTTPDate.text(of: date)?.dropFirst(5) == text.dropFirst(5))
        #expect(HTTPDate.text(of: date.addingTimeInterval(0.9)) == HTTPDate.text(of: date))
    }

    @Test("formats no dates outside the years 1 to 9999")
    func unwritable() {
        for seconds in [-62_135_596_801.0, 253_402_300_800, -1e300, 1e300, .infinity, .nan] {
            #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == nil)
        }
    }

    @Test("maps a two-digit year to the nearest year at most fifty years ahead")
    func shortYears() throws {
        let calendar = Calendar(identifier: .gregorian)
        let current = calendar.component(.year, from: Date())
        for offset in [-49, -1, 0, 1, 50] {
            let year = current + offset
            let digits = String("0\(year % 100)".suffix(2))
            let short = try #require(HTTPDate.parse("Sunday, 06-Nov-\(digits) 08:49:37 GMT"))
            #expect(short == HTTPDate.parse("Sun, 06 Nov \(year) 08:49:37 GMT"), "\(year)")
        }
    }

    @Test(
        "returns nil for an invalid date",
        arguments: [
            "", " ", "GMT", "120", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
            "Sun, 06 Nov 1994 08::37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 32 Dec 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
            "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
            "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
            "Tue, 012-Aug-2008 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 008:49:37 GMT",
            "Sun, 06 Nov 1994 08:049:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
            "sun, 06 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov-1994 08:49:37 GMT", "Sun, 06, Nov 1994 08:49:37 GMT",
            "Sun, -06 Nov 1994 08:49:37 GMT", "Sun, 06--Nov-94 08:49:37 GMT",
            "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun,\u{301} 06 Nov 1994 08:49:37 GMT", "Sun Nov   6 08:49:37 1994",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun Nov 6 1994 08:49:37",
        ]
    )
    func refusing(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test("knows every weekday, short and long, and every month")
    func names() {
        let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        for (index, day) in days.enumerated() {
            // 6 November 1994 was a Sunday.
            let date = HTTPDate.parseStrictly("\(day), 0\(6 + index % 3)-Nov-94 08:49:37 GMT")
            #expect(date?.timeIntervalSince1970 == Double(784_111_777 + index % 3 * 86_400))
            #expect(HTTPDate.parseStrictly("\(day.prefix(3)), 06 Nov 1994 08:49:37 GMT") != nil)
            #expect(HTTPDate.parse("\(day.prefix(4)), 06 Nov 1994 08:49:37 GMT") == nil)
        }
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        for (month, start) in zip(months, starts) {
            let date = HTTPDate.parse("Sun, 01 \(month) 1995 00:00:00 GMT")
            #expect(date?.timeIntervalSince1970 == Double(788_918_400 + start * 86_400))
        }
    }
}
