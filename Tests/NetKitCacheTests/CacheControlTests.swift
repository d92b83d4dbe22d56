import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Cache-Control")
struct CacheControlTests {
    @Test(
        "keeps the first directive of each name, and skips invalid ones",
        arguments: [
            ("max-age=1, MAX-AGE=2, max-age=3", ["max-age=1"]),
            (#"a="b\"c\\d, e", F"#, [#"a=b"c\d, e"#, "f"]), (#"a="b, no-store"#, []),
            (#"a="b"c, d"#, ["d"]), ("a b, c", ["c"]), ("a=, b = c", ["a=", "b=c"]),
            (",,a,,", ["a"]), ("a=b;c=d", ["a=b;c=d"]), ("a,\u{301}b, c", ["a", "c"]),
            ("a=\"b\u{301}\",c", ["a=b\u{301}", "c"]), ("a=\u{1}, b", ["b"]),
            ("a=\"\u{1}, b\", c", ["c"]), ("=", []), ("", []),
        ]
    )
    func directives(text: String, expected: [String]) {
        let directives = CacheControl(fieldValue: text).directives
            .map { $0.name + ($0.value.map { "=\($0)" } ?? "") }
        #expect(directives == expected)
    }

    @Test(
        "reads seconds from digits only, capped at 2^31",
        arguments: [
            ("a=60", 60), ("a=\"60\"", 60), ("a=+60", 0), ("a=-60", 0), ("a", 0), ("a=", 0),
            ("a=6 0", 0), ("a=4294967296", 2_147_483_648), ("b=60", nil),
            ("a=99999999999999999999999", 2_147_483_648),
        ] as [(String, Double?)]
    )
    func seconds(text: String, seconds: Double?) {
        #expect(CacheControl(fieldValue: text).seconds(of: "a") == seconds)
    }

    @Test("distinguishes no-cache from no-cache with field names")
    func noCache() {
        #expect(CacheControl(fieldValue: "no-cache").noCache)
        let named = CacheControl(fieldValue: #"no-cache="a, , B""#)
        #expect(!named.noCache)
        #expect(named.fieldsToValidate == ["A", "b"])
        let several = CacheControl(fieldValue: #"no-cache="a", no-cache="b", no-cache"#)
        #expect(several.noCache)
        #expect(several.fieldsToValidate == ["a", "b"])
        #expect(CacheControl(fieldValue: #"no-cache="""#).noCache)
        // What restricts a cache counts, whatever follows it.
        #expect(CacheControl(fieldValue: #"no-cache="a"#).noCache)
        #expect(CacheControl(fieldValue: "no-store; max-age=60").noStore)
        #expect(CacheControl(fieldValue: "must-revalidate x").has("must-revalidate"))
    }

    /// A search through those that were read would take hours.
    @Test("parses 200,000 directives in one pass", .timeLimit(.minutes(15)))
    func manyDirectives() {
        let text = (0..<200_000).map { "x-\($0)" }.joined(separator: ",")
        let directives = CacheControl(fieldValue: text + ",max-age=60")
        #expect(directives.seconds(of: "max-age") == 60)
        #expect(directives.has("x-199999"))
    }

    @Test("parses seconds of digits only, at most 2^31")
    func limits() {
        let numbers: [(String, Double?)] = [
            ("0", 0), ("9", 9), ("1234567890", 1_234_567_890), ("2147483648", 2_147_483_648),
            ("2147483649", 2_147_483_648),
            ("99999999999999999999", 2_147_483_648), ("", nil), ("-1", nil), ("1.5", nil),
            ("1:", nil), ("1/", nil), ("٣", nil),
        ]
        for (text, seconds) in numbers { #expect(CacheControl.seconds(text) == seconds) }
    }
}
