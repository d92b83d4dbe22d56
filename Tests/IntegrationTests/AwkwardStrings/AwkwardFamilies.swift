extension AwkwardString {
    /// Every C0 and C1 control and DEL, alone, inside and at either end of a text.
    static let controls = each([0...0x1F, 0x7F...0x9F]) { control in
        [control, "a\(control)b", "a\(control)", "\(control)a"]
    }

    /// Every ASCII character that is neither letter nor digit, alone, doubled and inside a text.
    static let punctuation = each([0x20...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]) {
        character in
        [character, character + character, "a\(character)b"]
    }

    static let percentSigns = [
        "%2", "%zz", "%41", "%2F", "%2f", "%00", "%0D%0A", "%25", "%252F", "%25252F", "100%",
        "%%41",
        "%4%31", "%E2%82", "%E2%82%AC", "%FF", "%C0%AE", "%C0%AF", "%u0041", "%U0041", "%+", "%20+",
        "%2B", "%26", "%3D", "%23", "%3F", "%22", "%5C", "% 41", "%é", "%7Bid%7D", "a%", "%a",
    ]

    static let delimiters = [
        "a=b&c=d", "&=", "=&", "&&", "a&amp;b", "a;b=c", "a[]", "a[0]", "a[b][c]", "a,b,c",
        "x?y=z#f",
        "{id}", "{value}", "{", "}", "{{", ":id", ":value", "##value##", "key", "a/b/c", "//",
        "///",
        "/a", "a/", "http://evil.test/", "https://u:p@evil.test:80/", "//evil.test",
        "\\\\evil.test",
        "javascript:alert(1)", "data:text/html,x", "file:///x", "u@h", "@", "a:b", "--", "----",
        "--boundary--", "a\"; filename=\"b", "a\"; name=\"b", "\\\"", "\\\\", "a\\", "'\"'",
    ]

    /// Spaces and tabs at either end, and every other space there is.
    static let spaces: [String] =
        [
            "  ", "\t\t", " a", "a ", " a ", "  a  b  ", "\ta", "a\t", "\ta\t", " \ta\t ", "a  b",
            "a\tb",
        ]
        + [" \u{B}", "\u{C}\t", "\u{B}\u{C}", "\u{B} a \u{C}"]
        + each([
            0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
            0x205F...0x205F, 0x3000...0x3000,
        ]) { space in
            [space, "\(space)a\(space)"]
        }

    static let directions: [String] =
        each([0x200E...0x200F, 0x61C...0x61C, 0x202A...0x202E, 0x2066...0x2069]) { mark in
            [mark, "a\(mark)b.txt"]
        }
        + ["שלום", "مرحبا", "a שלום b", "١٢٣", "\u{202E}gpj.exe", "א=ב&ג", "\u{5D0}\u{5B0}"]

    static let emoji = [
        "🙂", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "🇩", "🇩🇪🇫", "#️⃣", "*️⃣", "1️⃣", "☺︎", "☺️", "👁️‍🗨️",
        "\u{200D}", "👩\u{200D}", "\u{200D}👩", "\u{FE0F}", "🏴\u{E0067}\u{E0062}\u{E007F}", "🙂🙂🙂🙂",
        "a🙂b", "&🙂=", "🧑🏿‍🦽‍➡️",
    ]

    /// The edges of the planes and of the lengths in UTF-8 and UTF-16, and some of each plane.
    static let planes: [String] =
        edges.flatMap { value in
            let character = String(scalarValues: [value])
            return [character, "\(character)/\(character)"]
        }
        + ["日本語", "中文 字", "한국어", "ไทย", "हिन्दी", "Ελλάδα", "Россия", "Ħ€ĺłø", "ﷺ", "ｆｕｌｌ"]

    private static let edges: [UInt32] = [
        0x7E, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFC, 0xFFFD, 0x10000,
        0x10348, 0x1D11E, 0x1D4B3, 0x1F600, 0x20000, 0x2A6D6, 0x30000, 0xE0100, 0xF0000, 0xFFFFD,
        0x100000, 0x10FFFD, 0x4E2D, 0xAC00, 0x0E01, 0x0915, 0xA9, 0xFF, 0x100, 0x20AC,
    ]

    /// Marks without a letter, and marks on what has a meaning: to `Character` that is another one.
    static let combiningMarks: [String] =
        [
            "\u{301}", "\u{308}\u{301}", "\u{20DD}", "\u{34F}", "\u{338}", "\u{1AB0}", "\u{FE20}",
            "\u{3099}", "\u{903}", "\u{93F}", "\u{1D165}", "Z\u{351}\u{36B}\u{343}\u{32B}\u{330}a",
        ]
        + "%&=+#?/\\;:@\"' {}[]\r\n\t\u{0}a.".unicodeScalars
        .flatMap { scalar in ["\(scalar)\u{301}", "x\(scalar)\u{338}y"] }

    /// The same to a reader, and to `==`, and yet not the same bytes.
    static let normalForms = [
        "é", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "\u{1E9B}\u{323}",
        "\u{17F}\u{323}\u{307}",
        "가", "\u{1100}\u{1161}", "\u{FB01}", "fi", "\u{2126}", "\u{3A9}", "ñ", "n\u{303}",
        "\u{1E69}",
        "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{2F81A}", "\u{51AC}", "\u{37E}", "\u{1FEF}",
        "\u{2000}\u{301}", "\u{340}", "\u{958}", "\u{915}\u{93C}",
    ]

    static let noncharacters: [String] = each(
        [0xFDD0...0xFDEF]
            + (0...0x10).map { plane in (plane << 16 | 0xFFFE)...(plane << 16 | 0xFFFF) }
    )

    static let invisible = [
        "\u{FEFF}", "\u{FEFF}a", "a\u{FEFF}", "a\u{FEFF}b", "\u{FEFF}\u{FFFD}", "\u{FFFD}\u{FEFF}",
        "\u{AD}", "\u{200B}", "\u{200C}", "\u{2060}", "\u{2061}", "\u{180E}", "\u{115F}",
        "\u{3164}",
        "\u{FFA0}", "\u{E0001}", "\u{E0041}", "\u{FFF9}a\u{FFFA}b\u{FFFB}", "\u{FE00}",
        "a\u{200B}b",
        "\u{0}", "\u{0}\u{0}", "\u{0}a", "a.png\u{0}.exe",
    ]

    static let letterCase = [
        "ß", "ẞ", "İ", "ı", "i\u{307}", "ſ", "\u{212A}", "ŉ", "ǰ", "Ǆ", "ǅ", "ς", "Σ", "ŉ", "ﬀ",
    ]
}

extension AwkwardString {
    /// The strings that are made of each scalar of some ranges.
    private static func each(
        _ ranges: [ClosedRange<UInt32>],
        make: (String) -> [String] = { [$0] }
    ) -> [String] {
        ranges.joined().flatMap { make(String(scalarValues: [$0])) }
    }
}
