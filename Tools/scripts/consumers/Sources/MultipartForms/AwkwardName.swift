/// Names that break careless encoders and parsers.
///
/// No name contains a NUL, which NetKit rejects. No name exceeds the parsers' limit for a header line, which is about
/// 4 KB for both names of a file.
enum AwkwardName {
    /// Returns a known name, or several pieces of names in a row.
    static func random(using generator: inout SeededGenerator) -> String {
        if Int.random(in: 0..<3, using: &generator) > 0 {
            return known.randomElement(using: &generator) ?? ""
        }
        return (0..<Int.random(in: 1...5, using: &generator))
            .compactMap { _ in pieces.randomElement(using: &generator) }
            .joined()
    }

    private static let known: [String] =
        pieces + [
            "", "file", "user[avatar][]", "a b", " a ", "\ta\t", "a\"; filename=\"b",
            "; filename=\"x\"", "name=\"x\"", "a\r\nX-Injected: 1", "\r\n\r\n", "a\r\n b", "%%22",
            "%252522", "&quot;", "&#34;", "=?utf-8?q?a?=", "utf-8''a", "name*=utf-8''%e2%82%ac",
            "C:\\Users\\a\\photo.png", "c:\\a", "\\\\server\\share\\a.txt", "a\\b\\c", "a\\\\b",
            "\\\\", "a\\", "a\\\\", "a\\\\\\", "\\\"", "a\\\"b", "\\; x", "a;b\\",
            "../../etc/passwd",
            "..", ".", "/", "a/b", "--", "----", "--netkit-", "Content-Type: x", "a.tar.gz",
            "\u{202E}gpj.exe", "\u{FEFF}a", "\u{1B}[31mred", "\u{7F}", "\u{85}", "\u{2028}",
            "\"\u{301}", "\r\u{301}", ";\u{338}", "👩‍👩‍👧‍👦.png", "🇩🇪", "日本語.txt", "שלום", "Ĳ",
        ]
        + [
            ("a", 1_500), ("\"", 400), ("%", 700), (";", 700), ("é", 600), ("🙂", 300),
            ("a\\b", 300),
        ]
        .map { String(repeating: $0.0, count: $0.1) }

    private static let pieces = [
        "a", "Z", "0", " ", "\"", "'", "\r", "\n", "\r\n", "%", "%22", "%0D", "%0A", "%0d%0a",
        "%zz",
        ";", "; ", "=", ",", ":", "*", "\\", "\\a", "é", "e\u{301}", "€", "中", "🙂", "\u{10FFFD}",
    ]
}
