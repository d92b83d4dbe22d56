import Foundation
import Testing

@testable import NetKit

@Suite("XML redaction")
struct RedactedXMLTests {
    @Test(
        "redacts elements and attributes by name",
        arguments: [
            (
                #"<?xml version="1.0"?><a><b>1</b><s:Password>X</s:Password></a>"#,
                #"<?xml version="1.0"?><a><b>1</b><s:Password>‹redacted›</s:Password></a>"#
            ),
            (
                "<token><a>X</a><token>X</token><![CDATA[X]]><!--X--></token><b>c</b>",
                "<token><a>‹redacted›</a><token>‹redacted›</token><![CDATA[‹redacted›]]>"
                    + "<!--‹redacted›--></token><b>c</b>"
            ),
            ("\u{FEFF}<a><b token='X'/></a>", "\u{FEFF}<a><b token='‹redacted›'/></a>"),
            ("<token><a>X</a></token><b>c</b>", "<token><a>‹redacted›</a></token><b>c</b>"),
            (#"<a token='X' b="c"/>"#, #"<a token='‹redacted›' b="c"/>"#),
            ("<a token = X b=c>d</a>", "<a token = ‹redacted› b=c>d</a>"),
            (
                #"<input name="csrf_token" value="X"><p>text"#,
                #"<input name="csrf_token" value="‹redacted›"><p>text"#
            ),
            (#"<input value="X" name="pin">"#, #"<input value="‹redacted›" name="pin">"#),
            (
                #"<add key="Password">X</add><add key="b">c</add>"#,
                #"<add key="Password">‹redacted›</add><add key="b">c</add>"#
            ),
            (
                "<key>password</key><string>X</string><key>a</key><string>b</string>",
                "<key>password</key><string>‹redacted›</string><key>a</key><string>b</string>"
            ),
            ("<key>pass&#x77;ord</key><a>X</a>", "<key>pass&#x77;ord</key><a>‹redacted›</a>"),
            ("<a>{\"pin\":1}</a>", "<a>{\"pin\":0}</a>"),
            ("<a href='/x?a=1&amp;token=X'>", "<a href='/x?a=1&amp;token=redacted'>"),
            (
                "<script>if (a<b) token = 'X'</script>",
                "<script>if (a<b) token = '‹redacted›'</script>"
            ),
            ("<!-- password: X --><a/>", "<!-- password: ‹redacted›--><a/>"),
            ("<a/><!-- password: X-->", "<a/><!-- password: ‹redacted›-->"),
            // Cut off.
            ("<token>X", "<token>‹redacted›"), ("<a b='X", "<a b='‹redacted›"), ("<a", "<a"),
            ("<a token=", "<a token="), ("<a><![CDATA[token=X", "<a><![CDATA[token=redacted"),
            ("<!DOCTYPE html><p>a < b</p>", "<!DOCTYPE html><p>a < b</p>"),
            // Text in a tag that is no attribute may say anything.
            ("<say \"token\"a:\npassword: X", "<say ‹redacted›"),
            ("<a b='c' password:X d>e</a>", "<a ‹redacted›>e</a>"),
            ("<a b=\npassword: X", "<a ‹redacted›"), ("<a b='c:' d=e:f>g", "<a b='c:' d=e:f>g"),
            ("<password: X>", "<password: ‹redacted›>"), ("<a></a token:X>", "<a></a ‹redacted›>"),
            (#"<add "x: key="pin">X</add>"#, "<add ‹redacted›>‹redacted›</add>"),
            ("<!a password: X>b", "<!a password: ‹redacted›>b"),
            ("<a b-c.d>token</a>", "<a b-c.d>token</a>"), ("<a:>b", "<a:>b"),
            ("<a À>b</a>", "<a À>b</a>"),
            ("<a><b>1</b>pin<c>text</c></a>", "<a><b>1</b>pin<c>text</c></a>"),
            ("<a><key>b</key>pin<c>text</c></a>", "<a><key>b</key>pin<c>text</c></a>"),
            (
                "<s:key>password</s:key><s:a>X</s:a>",
                "<s:key>password</s:key><s:a>‹redacted›</s:a>"
            ),
        ]
    )
    func hides(text: String, expected: String) {
        for type in ["application/xml", "text/html; charset=utf-8", "image/svg+xml", "text/plain"] {
            let shown = Redaction.secrets.shown(body: Data(text.utf8), type: type)
            #expect(String(decoding: shown, as: UTF8.self) == expected)
            #expect(Redaction.secrets.shown(body: shown, type: type) == shown)
        }
    }

    @Test(
        "finds a tag only where one can begin",
        arguments: [
            ("<a", true), ("<Z", true), ("<!", true), ("<?", true), ("</", true), ("<_", true),
            ("<\u{80}", true),
            ("<é", true), ("<1", false), ("<\u{7F}", false), ("< ", false), ("<", false),
            ("a<", false), ("", false),
            ("<-", false), ("<@", false), ("<[", false), ("<`", false), ("<{", false),
        ]
    )
    func beginnings(text: String, isTag: Bool) {
        #expect(RedactedXML.beginsTag(at: 0, in: Array(text.utf8)[...]) == isTag)
    }

    @Test("takes the first byte of a character beyond ASCII for a name's, however it goes on")
    func bytes() {
        for byte in UInt8.min ... .max {
            let isName =
                byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
                || "!?/_".utf8.contains(byte)
            #expect(RedactedXML.beginsTag(at: 0, in: [0x3C, byte]) == isName)
        }
    }

    @Test(
        "hides nothing after an HTML element that has no end tag",
        arguments: [
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
            "source", "track", "wbr",
        ]
    )
    func voidElements(name: String) {
        for name in [name, name.uppercased()] {
            let text = "<\(name) id='pin'><p>text</p>"
            let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/html")
            #expect(String(decoding: shown, as: UTF8.self) == text)
        }
        let text = "<\(name)x id='pin'><p>text</p>"
        let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/html")
        #expect(!String(decoding: shown, as: UTF8.self).contains("text"))
    }

    @Test("redacts a fragment of HTML that begins with text")
    func fragment() {
        for (text, expected) in [
            ("a<b>c</b>", "a<b>c</b>"), ("a <pin>X</pin>", "a <pin>‹redacted›</pin>"), ("a", "a"),
        ] {
            let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/html")
            #expect(String(decoding: shown, as: UTF8.self) == expected)
        }
    }

    @Test("ends a document type at its bracket, whatever follows")
    func documentType() {
        let text = "<!DOCTYPE a><b c='?'>[x] token=X</b>"
        let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/xml")
        #expect(
            String(decoding: shown, as: UTF8.self)
                == "<!DOCTYPE a><b c='?'>[x] token=‹redacted›</b>"
        )
    }

    @Test(
        "redacts the name of a secret too where its tag is cut off",
        arguments: [
            (#"<input name="pin" value="X"#, #"<input name="‹redacted›" value="‹redacted›"#),
            (#"<input name="pin" value="X""#, #"<input name="‹redacted›" value="‹redacted›""#),
            (#"<input name="pin" value="X">"#, #"<input name="pin" value="‹redacted›">"#),
            (#"<input name="a" value="b">"#, #"<input name="a" value="b">"#),
        ]
    )
    func cutTags(text: String, expected: String) {
        let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/xml")
        #expect(String(decoding: shown, as: UTF8.self) == expected)
    }
}
