import Testing

@testable import NetKitSupport

@Suite("JSON tokens")
struct JSONTokensTests {
    /// The tokens of a text, with `!` at a syntax error and `…` where something is still open.
    private func tokens(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var tokens = JSONTokens(bytes[...])
        var found: [String] = []
        while let token = tokens.next() {
            let shown = String(decoding: bytes[token.range], as: UTF8.self)
            if token.kind == .name || token.kind == .string {
                #expect(token.content.count == shown.utf8.count - (token.isEnded ? 2 : 1))
            }
            found.append(token.kind == .name ? shown + ":" : shown)
        }
        return found.joined(separator: " ") + (tokens.isBroken ? "!" : tokens.isComplete ? "" : "…")
    }

    @Test(
        "finds every token, whatever the white space",
        arguments: [
            (#"{"a":1,"b":[true,null]}"#, #"{ "a": 1 "b": [ true null ] }"#),
            (" \t\r\n{ \"a\"\t:\n\"b\"\r} ", #"{ "a": "b" }"#), ("\u{1E}1\n\u{1E}2", "1 2"),
            ("\u{FEFF}[]", "[ ]"),
            ("[[],{},\"\",0]", #"[ [ ] { } "" 0 ]"#), ("-1.5e+3", "-1.5e+3"),
            ("1E-2 false", "1E-2 false"), ("", ""),
            (#"["a\"b\\","\u0041"]"#, #"[ "a\"b\\" "\u0041" ]"#),
            (#"{"a":{"b":[{}]}}"#, #"{ "a": { "b": [ { } ] } }"#),
        ]
    )
    func valid(text: String, expected: String) {
        #expect(tokens(text) == expected)
    }

    @Test(
        "takes a truncated text for the beginning of one",
        arguments: [
            ("[", "[…"), ("{", "{…"), (#"{"a"#, #"{ "a:…"#), (#"{"a":"#, #"{ "a":…"#),
            (#"{"a":1,"#, #"{ "a": 1…"#),
            (#"["a\"#, #"[ "a\…"#), ("[tr", "[ tr…"), ("[-", "[ -…"), ("[1,", "[ 1…"),
            ("\"a", "\"a"),
        ]
    )
    func truncated(text: String, expected: String) {
        #expect(tokens(text) == expected)
    }

    @Test(
        "stops at the first syntax error",
        arguments: [
            ("[1,]", "[ 1!"), ("[,1]", "[!"), ("[1 2]", "[ 1!"), ("{1:2}", "{!"),
            (#"{"a" 1}"#, #"{ "a":!"#),
            (#"{"a":1,}"#, #"{ "a": 1!"#), (#"{"a":}"#, #"{ "a":!"#), ("[}", "[!"), ("{]", "{!"),
            ("]", "!"), ("1]", "1!"),
            (#"{"a"}"#, #"{ "a":!"#), (#"{"a":1 "b":2}"#, #"{ "a": 1!"#), ("[\"a\nb\"]", "[!"),
            ("[\"\u{1F}\"]", "[!"),
            ("[tru]", "[!"), ("[truex]", "[!"), ("[+1]", "[!"), ("[.5]", "[!"), ("[:1]", "[!"),
            ("[/1]", "[!"), ("\u{FEC0}[]", "!"), ("\u{FEFF}\u{FEFF}1", "!"),
            ("[1x]", "[!"), ("nul ", "!"), ("[\u{1}]", "[!"), (#"["a":1]"#, #"[ "a"!"#),
            (#"{"a",1}"#, #"{ "a":!"#),
            (#"{"a":[1}"#, #"{ "a": [ 1!"#), (#"{["#, "{!"), (#"["a""b"]"#, #"[ "a"!"#),
        ]
    )
    func broken(text: String, expected: String) {
        #expect(tokens(text) == expected)
    }

    @Test(
        "ends a word at every character that can follow one",
        arguments: [",", ":", "{", "}", "[", "]", "\"", " ", "\t", "\n", "\r"]
    )
    func wordEnds(end: String) {
        #expect(tokens("[12\(end)").hasPrefix("[ 12"))
        #expect(tokens("12\(end)").hasPrefix("12"))
    }

    @Test("accepts every digit and sign of a number")
    func numbers() {
        for text in (0...9).map(String.init) + ["-", "1+", "1-", "1.", "1e", "1E"] {
            #expect(tokens(text) == text)
            #expect(tokens("[\(text)]") == "[ \(text) ]")
        }
        for text in ["1:", "1/"] { #expect(tokens(text).hasSuffix("!")) }
    }

    @Test("allows 512 open containers, and no more")
    func depth() {
        for (depth, isAllowed) in [(511, true), (512, true), (513, false)] {
            let open = String(repeating: "[", count: depth)
            #expect(tokens(open + "1").hasSuffix(isAllowed ? "1…" : "!"))
            #expect(
                tokens(String(repeating: #"{"a":"#, count: depth)).hasSuffix(isAllowed ? "…" : "!")
            )
        }
    }

    @Test("keeps what a control character may not be in: a string begins at a space")
    func controls() {
        #expect(tokens("[\" \"]") == "[ \" \" ]")
        #expect(tokens("[\"\u{7F}\"]") == "[ \"\u{7F}\" ]")
    }
}
