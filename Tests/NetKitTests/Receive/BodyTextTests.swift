import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Body text")
struct BodyTextTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let type: String?
        let bytes: [UInt8]
        let text: String
        var testDescription: String { "\(type ?? "no type") \(bytes)" }
    }

    private static let charsets: [(String, [UInt8], String)] = [
        ("iso-8859-3", [0xA1], "Ħ"), ("iso-8859-4", [0xA1], "Ą"), ("iso-8859-5", [0xB0], "А"),
        ("iso-8859-6", [0xC7], "ا"), ("iso-8859-7", [0xE1], "α"), ("iso-8859-8", [0xE0], "א"),
        ("iso-8859-9", [0xFD], "ı"), ("iso-8859-10", [0xA1], "Ą"),
        ("iso-8859-13", [0xE0], "ą"), ("iso-8859-14", [0xA1], "Ḃ"),
        ("iso-8859-15", [0xA4], "€"), ("iso-8859-16", [0xA4], "€"),
        ("windows-874", [0xA1], "ก"), ("tis-620", [0xA1], "ก"),
        ("windows-1255", [0xE0], "א"), ("windows-1256", [0xC7], "ا"),
        ("windows-1257", [0xE0], "ą"), ("koi8-r", [0xC1], "а"), ("koi8-u", [0xA4], "є"),
        ("ibm437", [0x84], "ä"), ("ibm850", [0x84], "ä"), ("ibm866", [0xA0], "а"),
        ("euc-kr", [0xB0, 0xA1], "가"), ("big5", [0xA7, 0x41], "你"),
        ("gbk", [0xC4, 0xE3], "你"), ("gb2312", [0xC4, 0xE3], "你"),
        ("gb18030", [0x94, 0x39, 0xDA, 0x33], "💩"), ("shift-jis", [0x82, 0xA0], "あ"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
    ]

    @Test(
        "decodes with the charset of its Content-Type or byte order mark",
        arguments: [
            Sample(type: nil, bytes: [0x41, 0xC3, 0xA9], text: "Aé"),
            Sample(type: "text/plain", bytes: [0xE2, 0x82, 0xAC], text: "€"),
            Sample(type: "text/plain; charset=utf-8", bytes: [0xEF, 0xBB, 0xBF, 0x41], text: "A"),
            Sample(type: "text/plain; charset=UTF-8", bytes: [0x41], text: "A"),
            Sample(type: "text/plain; charset=\"utf-8\"", bytes: [0xC3, 0xA9], text: "é"),
            Sample(type: "text/plain; charset=ISO-8859-1", bytes: [0x41, 0xE9], text: "Aé"),
            Sample(type: "text/plain; charset=windows-1252", bytes: [0x80, 0xE9], text: "€é"),
            Sample(type: "text/plain; charset=windows-1251", bytes: [0xE9], text: "й"),
            Sample(type: "text/plain; charset=us-ascii", bytes: [0x41], text: "A"),
            Sample(type: "text/plain; charset=latin1; x", bytes: [0xE9], text: "é"),
            Sample(type: "text/plain; x; a=b c; charset=latin1", bytes: [0xE9], text: "é"),
            Sample(type: "text/plain; charset=latin1, text/html", bytes: [0xE9], text: "é"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0xFF, 0xFE, 0x41, 0], text: "A"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0xFE, 0xFF, 0, 0x41], text: "A"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0, 0x41], text: "A"),
            Sample(type: "text/plain; charset=utf-16le", bytes: [0x41, 0], text: "A"),
            Sample(type: "text/plain", bytes: [0xFF, 0xFE, 0x41, 0], text: "A"),
            Sample(type: nil, bytes: [], text: ""),
        ]
            + [
                "iso-8859-1", "iso8859-1", "latin1", "iso-8859-2", "latin2", "windows-1250",
                "cp1250", "windows-1252", "cp1252", "windows-1254", "cp1254",
            ]
            .map { Sample(type: "text/plain; charset=\($0)", bytes: [0xE9], text: "é") }
            + [
                ("windows-1251", "й"), ("cp1251", "й"), ("windows-1253", "ι"), ("cp1253", "ι"),
            ]
            .map { Sample(type: "text/plain; charset=\($0)", bytes: [0xE9], text: $1) }
            + BodyTextTests.charsets
            .map { Sample(type: "text/plain; charset=\($0)", bytes: $1, text: $2) }
            + ["utf8", "UTF-8", "ascii", "us-ascii", "shift_jis", "sjis"]
            .map { Sample(type: "text/plain; charset=\($0)", bytes: [0x41], text: "A") }
            + [
                ("utf-16", [0x20, 0xAC]), ("utf-16be", [0x20, 0xAC]), ("utf-16le", [0xAC, 0x20]),
                ("utf-32be", [0, 0, 0x20, 0xAC]), ("utf-32le", [0xAC, 0x20, 0, 0]),
            ]
            .map { Sample(type: "text/plain; charset=\($0)", bytes: $1, text: "€") }
    )
    func charset(sample: Sample) throws {
        let response = try HTTPResponse.sample(data: Data(sample.bytes), type: sample.type)
        #expect(response.text == sample.text)
        #expect(try response.strictText() == sample.text)
    }

    @Test(
        "repairs invalid text for display, and fails to decode it",
        arguments: [
            ("text/plain", [0x41, 0xFF], "A\u{FFFD}", "utf-8"),
            ("text/plain", [0xFF, 0x41], "\u{FFFD}A", "utf-8"),
            ("text/plain", [0xFE, 0x41], "\u{FFFD}A", "utf-8"),
            ("text/plain", [0xEF, 0xBB, 0x41], "\u{FFFD}A", "utf-8"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x68, 0xFF], "h\u{FFFD}", "utf-8"),
            ("text/plain", [0xFF, 0xFE, 0x41, 0, 0, 0xD8, 0x42, 0], "A\u{FFFD}B", "utf-16"),
            ("text/plain", [0xFE, 0xFF, 0, 0x41, 0xD8, 0, 0x42], "A\u{FFFD}\u{FFFD}", "utf-16"),
            ("text/plain; charset=UTF-16LE", [0x41, 0, 0], "A\u{FFFD}", "utf-16le"),
            ("text/plain; charset=us-ascii", [0xC3, 0xA9], "é", "us-ascii"),
            ("text/plain; charset=klingon", [0x41], "A", "klingon"),
            ("text/plain; charset=gbk", [0x41, 0xFF], "A\u{FFFD}", "gbk"),
            // Foundation on Linux has another table than Apple's.
            ("text/plain; charset=macintosh", [0xA5, 0x8E], "\u{FFFD}\u{FFFD}", "macintosh"),
        ]
    )
    func unreadable(type: String, bytes: [UInt8], shown: String, charset: String) throws {
        let response = try HTTPResponse.sample(data: Data(bytes), type: type)
        #expect(response.text == shown)
        #expect(throws: UnreadableText(charset: charset)) { try response.strictText() }
    }

    /// What IANA's registry says that the last bytes up to 0xFF stand for, as Python's codecs have it; `?` for none.
    @Test(
        "decodes every character of its charset",
        arguments: [
            (
                "iso-8859-1",
                "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
                    + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß"
                    + "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
            ),
            (
                "iso-8859-2",
                "\u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż"
                    + "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß"
                    + "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
            ),
            (
                "windows-1250",
                "€?‚?„…†‡?‰Š‹ŚŤŽŹ?‘’“”•–—?™š›śťžź"
                    + "\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż"
                    + "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß"
                    + "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
            ),
            (
                "windows-1251",
                "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—?™љ›њќћџ"
                    + "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї"
                    + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
                    + "абвгдежзийклмнопрстуфхцчшщъыьэюя"
            ),
            (
                "windows-1252",
                "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ"
                    + "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
                    + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß"
                    + "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
            ),
            (
                "windows-1253",
                "€?‚ƒ„…†‡?‰?‹?????‘’“”•–—?™?›????"
                    + "\u{A0}΅Ά£¤¥¦§¨©?«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ"
                    + "ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ?ΣΤΥΦΧΨΩΪΫάέήί"
                    + "ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ?"
            ),
            (
                "windows-1254",
                "€?‚ƒ„…†‡ˆ‰Š‹Œ????‘’“”•–—˜™š›œ??Ÿ"
                    + "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
                    + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß"
                    + "àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ"
            ),
        ]
    )
    func tables(charset: String, letters: String) throws {
        let first = 0x100 - letters.unicodeScalars.count
        for (offset, letter) in letters.unicodeScalars.enumerated() where letter != "?" {
            let byte = UInt8(first + offset)
            let data = Data([0x41, byte])
            let response = try HTTPResponse.sample(
                data: data,
                type: "text/plain; charset=\(charset)"
            )
            #expect(try response.strictText() == "A\(letter)", "\(charset) \(byte)")
        }
    }

    @Test("decodes Shift_JIS")
    func shiftJIS() throws {
        let bytes: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0xB1, 0x41]
        let response = try HTTPResponse.sample(
            data: Data(bytes),
            type: "text/plain; charset=Shift_JIS"
        )
        #expect(try response.strictText() == "日本語ｱA")
    }
}
