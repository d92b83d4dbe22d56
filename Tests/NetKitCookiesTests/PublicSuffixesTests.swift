import Testing

@testable import NetKit
@testable import NetKitCookies

@Suite("Public suffixes")
struct PublicSuffixesTests {
    @Test(
        "matches the list",
        arguments: [
            ("com", true), ("example.com", false), ("unlisted", true), ("a.unlisted", false),
            ("co.uk", true), ("a.co.uk", false), ("uk", true), ("ac", true), ("com.ac", true),
            // Any label but one: `*.ck` and `!www.ck`.
            ("ck", true), ("a.ck", true), ("b.a.ck", false), ("www.ck", false), ("a.www.ck", false),
            ("kawasaki.jp", false), ("a.kawasaki.jp", true), ("city.kawasaki.jp", false),
            ("ide.kyoto.jp", true), ("kyoto.jp", true), ("b.ide.kyoto.jp", false),
            // In A-labels.
            ("xn--55qx5d.cn", true), ("xn--p1ai", true), ("a.xn--p1ai", false),
            // The private section.
            ("github.io", true), ("a.github.io", false), ("blogspot.com", true),
            ("co.uk.", true), ("a.co.uk.", false), ("", true), (".", true), ("127.0.0.1", false),
        ]
    )
    func lookup(name: String, isSuffix: Bool) {
        #expect(PublicSuffixes.contains(name) == isSuffix)
    }

    @Test("finds every suffix, the first and the last too")
    func all() {
        let text = PublicSuffixList.groups.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        var (parent, count, parents) = ("", 0, [String]())
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if word.first == "@" {
                parent = String(word.dropFirst())
                parents.append(parent)
                continue
            }
            let label = word == "*" ? "anything" : String(word.drop { $0 == "!" })
            #expect(PublicSuffixes.contains("\(label).\(parent)") == (word.first != "!"))
            count += 1
        }
        #expect(count > 7000)
        #expect(parents == parents.sorted() && Set(parents).count == parents.count)
    }
}
