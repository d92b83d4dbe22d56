import Testing

@testable import NetKit

extension MimeType {
    fileprivate static let house: MimeType = "application/vnd.example.house+json"
}

extension MimeType.Application {
    fileprivate static let house = Self(rawValue: "vnd.example.house+json")
}

@Suite("Media types")
struct MimeTypeTests {
    @Test(
        "parses a type with its parameters",
        arguments: [
            ("application/json", "application", "json", [:]),
            ("application/json; charset=utf-8", "application", "json", ["charset": "utf-8"]),
            ("Text/HTML;Charset=UTF-8", "text", "html", ["charset": "UTF-8"]),
            (" text/plain ;  a=1;b=2 ; ", "text", "plain", ["a": "1", "b": "2"]),
            ("*/*", "*", "*", [:]), ("image/svg+xml;;", "image", "svg+xml", [:]),
            (#"a/b; c="d; e=\"f\\\"""#, "a", "b", ["c": #"d; e="f\""#]),
            (#"a/b;c="";d=e"#, "a", "b", ["c": "", "d": "e"]),
            (#"a/b; c="é🏠""#, "a", "b", ["c": "é🏠"]),
            ("a/b; c=\"\u{301}x\"; d=\"\u{301}\"", "a", "b", ["c": "\u{301}x", "d": "\u{301}"]),
            ("a/b; c=1; C=2", "a", "b", ["c": "1"]),
            (
                "multipart/form-data; boundary=--x'y", "multipart", "form-data",
                ["boundary": "--x'y"]
            ),
        ] as [(String, String, String, [String: String])]
    )
    func reading(text: String, type: String, subtype: String, parameters: [String: String]) throws {
        let mime = try #require(MimeType(text))
        #expect(mime.type == type)
        #expect(mime.subtype == subtype)
        #expect(mime.parameters == parameters)
    }

    @Test(
        "doesn't parse anything else",
        arguments: [
            "", " ", "json", "/", "a/", "/b", "a/b/c", "a /b", "a/ b", "a/b c", "a/b; c",
            "a/b; =d", "a/b; c=", "a/b; c =d", "a/b; c= d", "a/b; c=d e", #"a/b; c="d"#,
            #"a/b; c="d"e"#, #"a/b; c="d\"#, "a/b; c=\"\r\n\"", "a/b; c=\"\\\n\"", "a/b\r\nX: y",
            "a/b, c/d", "a/b; c=é", "ä/b", "a/b; \u{301}=c", "a/b;\u{301}c=d", "a/b; c=\"\u{0}\"",
        ]
    )
    func refusing(text: String) {
        #expect(MimeType(text) == nil)
    }

    @Test("keeps its original text without surrounding spaces")
    func rawValue() {
        #expect(MimeType(rawValue: "Awesome/Type; X=y").rawValue == "Awesome/Type; X=y")
        let padded = "\t Text/Plain;a=b "
        #expect(MimeType(padded)?.rawValue == "Text/Plain;a=b")
        #expect(("x/y" as MimeType).rawValue == "x/y")
        #expect("\(MimeType.house)" == "application/vnd.example.house+json")
        #expect(MimeType(rawValue: "garbage").type == "garbage")
        #expect(MimeType(rawValue: "garbage").subtype == "")
        #expect(MimeType(rawValue: "garbage; a=b").parameters.isEmpty)
    }

    @Test(
        "compares without regard to case and order, except for parameter values",
        arguments: [
            ("text/plain", "TEXT/Plain", true), ("a/b; c=1; d=2", "a/b;D=2;C=1", true),
            ("a/b; c=x", "a/b; c=X", false), ("a/b; charset=utf-8", "A/B; Charset=UTF-8", true),
            ("a/b; c=x", #"a/b; c="x""#, true), ("a/b", "a/b; c=x", false), ("a/b", "a/b;", true),
            ("a/b", "a/c", false), ("a/b", "a/b; broken", false), ("broken", "Broken", false),
            ("broken", "broken", true), (#"a/b; c="x=1; d=2""#, "a/b; c=x=1; d=2", false),
        ]
    )
    func equality(left: String, right: String, areEqual: Bool) {
        let (left, right) = (MimeType(rawValue: left), MimeType(rawValue: right))
        #expect((left == right) == areEqual)
        #expect(Set([left, right]).count == (areEqual ? 1 : 2))
    }

    @Test(
        "quotes parameter values as needed, and parses them back",
        arguments: [
            ("utf-8", "utf-8"), ("", #""""#), ("a b", #""a b""#), (#"a"b\c"#, #""a\"b\\c""#),
            ("x;y=z", #""x;y=z""#), ("é", "\"é\""), ("\u{301}", "\"\u{301}\""),
            ("\"\u{301}", "\"\\\"\u{301}\""), ("a/b", #""a/b""#),
        ]
    )
    func quoting(value: String, written: String) throws {
        let mime = MimeType.text(.plain, parameters: ["b": value, "a": "1"])
        #expect(mime.rawValue == "text/plain; a=1; b=\(written)")
        let read = try #require(MimeType(mime.rawValue))
        #expect(read.parameters == ["a": "1", "b": value])
        #expect(read == mime)
    }

    @Test(
        "combines families and subtypes",
        arguments: [
            (.application(.json), "application/json"), (.audio(.mp4), "audio/mp4"),
            (.binary, "application/octet-stream"),
            (.image(.png), "image/png"), (.text(.plain), "text/plain"),
            (.font(.init(rawValue: "woff2")), "font/woff2"),
            (.model(.init(rawValue: "x3d+vrml")), "model/x3d+vrml"),
            (.message(.init(rawValue: "imdn+xml")), "message/imdn+xml"),
            (.multipart(.init(rawValue: "mixed")), "multipart/mixed"), (.video(.mp4), "video/mp4"),
            (.application(.house), "application/vnd.example.house+json"),
            (.image(.init(rawValue: "x-own")), "image/x-own"),
        ] as [(MimeType, String)]
    )
    func families(mime: MimeType, text: String) {
        #expect(mime.rawValue == text)
        #expect(MimeType(text) == mime)
    }

    @Test(
        "has short names",
        arguments: [
            (.json, "application/json"),
            (.plainText, "text/plain; charset=utf-8"), (.binary, "application/octet-stream"),
        ] as [(MimeType, String)]
    )
    func shortNames(mime: MimeType, text: String) {
        #expect(mime.rawValue == text)
    }

    @Test(
        "maps file extensions in any case, with or without a dot",
        arguments: [
            ("json", "application/json"), (".PNG", "image/png"), ("JPeG", "image/jpeg"),
            ("jpg", "image/jpeg"), (".svg", "image/svg+xml"), ("mp4", "video/mp4"),
            ("m4a", "audio/mp4"), ("3gp", "video/3gpp"), ("7z", "application/x-7z-compressed"),
            ("woff2", "font/woff2"), ("txt", "text/plain"), ("mov", "video/quicktime"),
            ("", nil), (".", nil), ("nothing", nil), ("..png", nil),
        ] as [(String, String?)]
    )
    func fileExtensions(fileExtension: String, text: String?) {
        let mime = MimeType(fileExtension: fileExtension)
        #expect(mime?.rawValue == text)
        if let mime { #expect(MimeType(mime.rawValue) == mime) }
    }
}
