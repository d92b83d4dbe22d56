import Foundation
import Testing

@testable import NetKit

@Suite("Multipart redaction")
struct RedactedPartsTests {
    private let mark = Redaction.mark

    private func shown(_ text: String, _ type: String = "multipart/form-data; boundary=B") -> String
    {
        String(
            decoding: Redaction(showsFields: true).shown(body: Data(text.utf8), type: type),
            as: UTF8.self
        )
    }

    @Test("redacts parts by name, and inspects the others")
    func parts() throws {
        struct Text: MultipartFile {
            let name: String
            let fileName = "f"
            let mime: MimeType = .application(.json)
            let resource: any MultipartResourceConvertible
        }
        func body(_ password: String, _ json: String, _ token: String) throws -> String {
            let body = try MultipartEncoder.encode(
                fields: [("a", "1"), ("password", password)],
                files: [
                    Text(name: "file", resource: Data(json.utf8)),
                    Text(name: "token", resource: Data(token.utf8)),
                ],
                boundary: "B"
            )
            return String(decoding: try #require(body.source.data), as: UTF8.self)
        }
        let original = try body("SECRET\r\n", #"{"otp":"SECRET"}"#, "SECRET")
        let expected = try body(mark, #"{"otp":"\#(mark)"}"#, mark)
        #expect(shown(original) == expected)
        #expect(shown(expected) == expected)
        let unreadable = try body("SECRET", "{SECRET", "SECRET")
        #expect(shown(unreadable).contains("‹redacted: application/json, 7 bytes›"))
        #expect(!shown(unreadable).contains("SECRET"))
        #expect(shown("--B\r\n") == "--B\r\n")
    }

    @Test(
        "redacts parts with any spelling of their names",
        arguments: [
            #"form-data;name="password""#, "form-data; name=password",
            #"form-data; a="; name=b"; name="password""#, "form-data; NAME = password",
            "form-data; name*=UTF-8''pass%77ord", "form-data; name=a; name*=utf-8'en'pass%77ord",
            "form-data; name*0=pass; name*1=word", #"form-data; name="pass\word""#,
            "form-data;\r\n name=password", "form-data; name=\"pass%77ord\"",
        ],
        ["\r\n", "\n"]
    )
    func names(disposition: String, lineEnd: String) {
        let lines = ["--B", "Content-Disposition: \(disposition)", "", "SECRET", "--B--", ""]
        let text = shown(lines.joined(separator: lineEnd))
        #expect(text == lines.joined(separator: lineEnd).replacing("SECRET", with: mark))
    }

    @Test("removes text before, between and after the parts")
    func outside() {
        let part = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nc\r\n"
        let text = "SECRET\r\n\(part)--B--\r\nSECRET"
        #expect(shown(text) == "\(mark)\r\n\(part)--B--\r\n\(mark)\r\n")
        #expect(shown("\(part)--B\r\nSECRET") == "\(part)--B\r\n\(mark)")
    }

    @Test("redacts header fields of parts, and shows a field but no other text")
    func heads() {
        let field = "--B\r\nContent-Disposition: form-data; name=a\r\n"
        let text = "\(field)Authorization: SECRET\r\nX-A: SECRET\r\n\r\na=1&token=SECRET"
        #expect(
            shown(text)
                == "\(field)Authorization: \(mark)\r\nX-A: \(mark)\r\n\r\na=1&token=redacted"
        )
        let note = "‹redacted: text/plain, 6 bytes›"
        for head in [
            "Accept: a\r\n", "Content-Disposition: form-data; name=a; filename=b\r\n",
            "Content-Disposition: form-data; name=a\r\nContent-Type: text/plain\r\n",
        ] {
            let shown = shown("--B\r\n\(head)\r\nSECRET\r\n--B--")
            #expect(shown == "--B\r\n\(head)\r\n\(note)\r\n--B--")
            #expect(self.shown(shown) == shown)
        }
        let contents = [
            "token=SECRET", "password: SECRET", "\u{1}SECRET", "-----BEGIN TOKEN\nSECRET",
        ]
        for content in contents {
            #expect(!shown("\(field)\r\n\(content)\r\n--B--").contains("SECRET"))
        }
    }

    @Test("shows a file's content only if its type is shown whole")
    func files() {
        let text = "--B\r\nContent-Type: text/csv\r\n\r\na,b\r\n--B--"
        let redaction = Redaction(showsFields: true, wholeBodies: ["text/csv"])
        let type = "multipart/form-data; boundary=B"
        #expect(redaction.shown(body: Data(text.utf8), type: type) == Data(text.utf8))
        #expect(shown(text).contains("‹redacted: text/csv, 3 bytes›"))
    }

    @Test("redacts parts nested too deeply")
    func depth() throws {
        func nested(_ count: Int) -> String {
            var body = #"{"a":"SECRET"}"#
            for level in 0..<count {
                let type =
                    level == 0 ? "application/json" : "multipart/mixed; boundary=B\(level - 1)"
                body = "--B\(level)\r\nContent-Type: \(type)\r\n\r\n\(body)\r\n--B\(level)--"
            }
            return body
        }
        #expect(shown(nested(8), "multipart/mixed; boundary=B7") == nested(8))
        for count in [9, 5_000] {
            let deep = shown(nested(count), "multipart/mixed; boundary=B\(count - 1)")
            // Who reads nine levels may take forever for the others.
            try #require(!deep.contains("SECRET"))
            #expect(deep.contains("‹redacted: "))
        }
    }
}
