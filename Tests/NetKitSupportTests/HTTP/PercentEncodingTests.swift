import Testing

@testable import NetKitSupport

@Suite("Percent-encoding")
struct PercentEncodingTests {
    private func encoded(
        _ text: String,
        as component: PercentEncoding.Component
    ) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(text, as: component, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func encoded(
        _ text: Substring,
        as component: PercentEncoding.Component
    ) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.append(text, as: component, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("finds the names in a written query, even if a combining mark follows the `=` or `&`")
    func writtenNames() {
        var bytes: [UInt8] = []
        TargetQuery(defaults: [("q", "all"), ("r", "all")])
            .append(after: nil, path: "a&\u{301}&q=\u{301}x", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "?r=all&a&%CC%81&q=%CC%81x")
    }

    @Test(
        "leaves exactly the unreserved characters of each component unencoded",
        arguments: [
            (.queryValue, "-._~"), (.form, "*-._"), (.segment, "!$&'()*+,-.:;=@_~"),
            (.path, "!$&'()*+,-./:;=@_~"), (.query, "!$&'()*+,-./:;=?@_~"),
        ] as [(PercentEncoding.Component, String)]
    )
    func plain(component: PercentEncoding.Component, punctuation: String) {
        let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let plain = (0x00...0x7F).map { String(Unicode.Scalar($0)) }
            .filter { encoded($0, as: component) == $0 }
        #expect(Set(plain) == Set((alphanumeric + punctuation).map(String.init)))
    }

    @Test("encodes every other byte as an uppercase triplet")
    func triplets() {
        for byte in UInt8.min...0x7F {
            let text = String(Unicode.Scalar(byte))
            let written = encoded(text, as: .queryValue)
            guard written != text else { continue }
            let digits = String(byte, radix: 16, uppercase: true)
            #expect(written == "%" + (digits.count == 1 ? "0" + digits : digits))
        }
        #expect(encoded("é🙂", as: .segment) == "%C3%A9%F0%9F%99%82")
        #expect(encoded(" ", as: .form) == "+")
        #expect(encoded("a b c".dropFirst(2), as: .form) == "b+c")
    }

    @Test(
        "keeps complete triplets in paths and queries, and escapes them in values",
        arguments: [
            ("%41", "%41", "%2541"), ("%2f%2F", "%2f%2F", "%252f%252F"), ("%", "%25", "%25"),
            ("%4", "%254", "%254"), ("%4g", "%254g", "%254g"), ("%%41", "%25%41", "%25%2541"),
            ("%é", "%25%C3%A9", "%25%C3%A9"), ("%aA%Ff", "%aA%Ff", "%25aA%25Ff"),
        ]
    )
    func existing(text: String, written: String, value: String) {
        #expect(encoded(text, as: .path) == written)
        #expect(encoded(text, as: .query) == written)
        for component in [PercentEncoding.Component.segment, .queryValue, .form] {
            #expect(encoded(text, as: component) == value)
        }
    }

    @Test("appends to existing bytes")
    func appending() {
        var bytes = Array("a=".utf8)
        PercentEncoding.append("&", as: .queryValue, to: &bytes)
        PercentEncoding.append("", as: .queryValue, to: &bytes)
        #expect(bytes == Array("a=%26".utf8))
    }
}
