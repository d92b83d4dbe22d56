import Foundation
import Testing

@testable import NetKitSupport

@Suite("Cookie dates")
struct CookieDateTests {
    @Test(
        "parses parts in any order, and more forms than HTTP's",
        arguments: [
            "Wed, 09 Jun 2027 10:18:14 GMT", "Wednesday, 09-Jun-27 10:18:14 GMT",
            "Wed Jun  9 10:18:14 2027", "9 jun 2027 10:18:14", "10:18:14 9-JUNE-2027",
            "Wed, 09 Jun 27 10:18:14 PST", "2027 9 Jun 10:18:14", "9th Jun 2027 10:18:14",
            "\t9/Jun;2027\"10:18:14+0200", "9 Jun 2027AD 10:18:14.5 x", "xyz 9 Jun 2027 10:18:14",
            "9 Jun 9 2027 10:18:14 2028 Jul 11:11:11",
        ]
    )
    func forms(text: String) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: 1_812_536_294))
    }

    @Test(
        "maps two-digit years to 1970 through 2069",
        arguments: [
            ("1 Jan 70 0:0:0", 0.0), ("1 Jan 69 00:00:00", 3_124_224_000),
            ("1 Jan 99 00:00:00", 915_148_800), ("1 Jan 00 00:00:00", 946_684_800),
            ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
            ("29 Feb 2028 00:00:00", 1_835_395_200),
        ]
    )
    func years(text: String, seconds: Double) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "rejects a missing part or a nonexistent moment",
        arguments: [
            "", "tomorrow", "Jun 2027 10:18:14", "9 2027 10:18:14", "9 Jun 10:18:14", "9 Jun 2027",
            "0 Jun 2027 10:18:14", "31 Jun 2027 10:18:14", "29 Feb 2027 10:18:14",
            "32 Jan 2027 00:00:00", "1 Jan 100 00:00:00", "9 Jun 1600 10:18:14",
            "9 Jun 20270 10:18:14",
            "9 Jun 2027 24:00:00", "9 Jun 2027 10:60:14", "9 Jun 2027 10:18:60",
            "9 Jun 2027 10:18", "9 Jun 2027 10:18:140", "9 Jun 2027 10-18-14",
            "009 Jun 2027 10:18:14", "9 Ju 2027 10:18:14", "9 Jun ２０２７ 10:18:14",
        ]
    )
    func none(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    @Test("knows every month, by its first three letters")
    func months() {
        let months = [
            "January", "feb", "MARCH", "Apr", "mayor", "Jun", "july", "aug", "sept", "Oct", "nov",
            "DECEMBER",
        ]
        let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        for (month, start) in zip(months, starts) {
            let date = CookieDate.parse("1 \(month) 2027 00:00:00")
            #expect(date == Date(timeIntervalSince1970: 1_798_761_600 + Double(start) * 86_400))
        }
    }

    @Test("splits parts at every delimiter, and at no other character")
    func delimiters() {
        let delimiters = Set("\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~".utf8)
        for byte in UInt8(0x01)...0x7E where !(0x30...0x39).contains(byte) {
            let character = Character(Unicode.Scalar(byte))
            let date = CookieDate.parse("9 Jun 2027\(character)10:18:14")
            #expect((date != nil) == delimiters.contains(byte), "\(byte)")
        }
    }

    @Test("accepts the limits of each part", arguments: ["23:59:59", "0:0:0", "00:00:00"])
    func limits(time: String) {
        #expect(CookieDate.parse("31 Jan 1601 \(time)") != nil)
        #expect(CookieDate.parse("1 Jan 70 \(time)") != nil)
    }
}
