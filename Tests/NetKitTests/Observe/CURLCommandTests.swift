import Foundation
import Testing

@testable import NetKit

@Suite("curl commands")
struct CURLCommandTests {
    private func request(
        _ method: HTTPMethod = .post,
        _ url: String = "http://h/p",
        headers: HTTPHeaders = ["Content-Type": "text/plain"],
        body: BodySource? = nil
    ) throws -> EncodedRequest {
        let url = try #require(URL(string: url))
        return EncodedRequest(url: url, method: method, headers: headers, body: body)
    }

    @Test("prints one field per line, sorted by name, without a dangling backslash")
    func text() throws {
        let request = try request(
            headers: ["etag": "2", "Content-Type": "text/plain", "Age": "1", "X-A": "3"],
            body: BodySource(Data("it's".utf8))
        )
        let expected = #"""
            curl --request POST \
              --url 'http://h/p' \
              --compressed \
              --header 'Age: 1' \
              --header 'Content-Type: text/plain' \
              --header 'etag: 2' \
              --header 'X-A: ‹redacted›' \
              --header 'User-Agent:' \
              --data-binary 'it'\''s'
            """#
        let redaction = Redaction(wholeBodies: ["text/plain"])
        #expect(CURLCommand(request, redacting: redaction).description == expected)
        let bare = CURLCommand(try self.request(.get, headers: [:]), redacting: .none)
        #expect(
            bare.description == """
                curl --request GET \\
                  --url 'http://h/p' \\
                  --compressed \\
                  --header 'User-Agent:'
                """
        )
        let named = try self.request(.get, headers: [.userAgent: "Mine/1"])
        #expect(
            "\(CURLCommand(named, redacting: .none))".hasSuffix("\n  --header 'User-Agent: Mine/1'")
        )
    }

    @Test(
        "takes a compressed response unless the request's codings exclude it",
        arguments: [
            (nil, true), ("gzip", true), ("deflate", true), ("br, GZIP;q=0.5", true),
            ("Deflate", true), ("identity", false), ("br", false), ("", false),
        ] as [(String?, Bool)]
    )
    func codings(codings: String?, isCompressed: Bool) throws {
        var headers = HTTPHeaders()
        headers[.acceptEncoding] = codings
        let command = CURLCommand(try request(.get, headers: headers), redacting: .none)
        #expect(command.description.contains("--compressed") == isCompressed)
    }

    @Test("redacts secrets, unless asked to show them")
    func redaction() throws {
        let url = "http://h/p?token=SECRET&a=1"
        let request = try request(.get, url, headers: ["Authorization": "Bearer SECRET"])
        let hidden = CURLCommand(request, redacting: .secrets).description
        #expect(!hidden.contains("SECRET"))
        #expect(hidden.contains("--url 'http://h/p?token=redacted&a=1'"))
        #expect(hidden.contains("--header 'Authorization: ‹redacted›'"))
        let shown = CURLCommand(request, redacting: .none).description
        #expect(shown.contains("--url '\(url)'"))
        #expect(shown.contains("--header 'Authorization: Bearer SECRET'"))
    }

    /// What keeps curl from adding its own `User-Agent` to a request without one.
    private static let noUserAgent = ["--header", "User-Agent:"]

    static let awkward: [String] = [
        "", "plain", "it's", "''", "'; touch /tmp/never; '", "a\nb\r\n", "$HOME ${x} $(id) `id`",
        #"back\slash \\ \' \n"#, #""double""#, "tab\t and # not a comment", "é🏠Ж", "!history!",
        "'\u{301} a quote with a mark", "\u{FEFF}mark first", "-d", "@/etc/passwd", "@\u{301}x",
        "- a\n- b", "--\n", "%s %d %%\n", "%s %d %%", "trailing \\", "* ? [a] {b,c} ~ & | ; < >",
    ]

    @Test("passes every body to curl unchanged", arguments: awkward)
    func bodies(text: String) throws {
        let request = try request(body: BodySource(Data(text.utf8)))
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.body == Data(text.utf8))
        // curl would read a file.
        #expect(!run.words.contains { $0.utf8.first == UInt8(ascii: "@") && $0 != "@-" })
        #expect(
            run.words.prefix(7) == [
                "--request", "POST", "--url", "http://h/p", "--compressed", "--header",
                "Content-Type: text/plain",
            ]
        )
    }

    @Test("passes every field to curl unchanged", arguments: awkward)
    func fields(text: String) throws {
        let request = try request(.get, headers: ["X-A": text])
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        let field = text.isEmpty ? "X-A;" : "X-A: \(text)"
        #expect(
            run.words == [
                "--request", "GET", "--url", "http://h/p", "--compressed", "--header", field,
            ] + Self.noUserAgent
        )
        #expect(run.body == nil)
    }

    @Test(
        "passes the method and URL to curl as NetKit sends them",
        arguments: [
            (.custom("A'B$C`D&E|F!"), "http://h/p?q=it's&b=$x%20%60id%60;c=*"),
            (.custom("get"), "http://h/(a)?x=~"),
        ] as [(HTTPMethod, String)]
    )
    func targets(method: HTTPMethod, url: String) throws {
        let request = try request(method, url, headers: [:])
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(
            run.words == ["--request", request.sentMethod.rawValue, "--url", url, "--compressed"]
                + Self.noUserAgent
        )
    }

    @Test("turns off curl's globbing for a URL that needs it")
    func patterns() throws {
        let request = try request(.get, "http://[::1]:80/p", headers: [:])
        #expect(CURLCommand(request, redacting: .none).description.contains("--globoff"))
    }

    @Test("requests a head with curl's own option")
    func head() throws {
        let request = try request(.head, headers: [:])
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.words == ["--head", "--url", "http://h/p", "--compressed"] + Self.noUserAgent)
    }

    @Test("has the type and length of a body that isn't shown or can't be redacted")
    func unreadable() throws {
        let request = try request(
            headers: ["Content-Type": "application/json"],
            body: BodySource(Data("{SECRET".utf8))
        )
        for redaction in [Redaction.secrets, Redaction(showsFields: true)] {
            let command = CURLCommand(request, redacting: redaction).description
            #expect(command.hasSuffix("--data-binary '‹redacted: application/json, 7 bytes›'"))
            #expect(!command.contains("SECRET"))
        }
        #expect(CURLCommand(request, redacting: .none).description.contains("'{SECRET'"))
    }

    @Test(
        "shows no encoded body by the fields of its Content-Type",
        arguments: ["gzip", "X-GZIP", "br", "identity"]
    )
    func encoded(encoding: String) throws {
        for (type, content) in [
            ("application/json", #"{"name":"SECRET"}"#),
            ("application/x-www-form-urlencoded", "name=SECRET"),
        ] {
            let request = try request(
                headers: [.contentType: type, .contentEncoding: encoding],
                body: BodySource(Data(content.utf8))
            )
            let command = CURLCommand(request, redacting: Redaction(showsFields: true)).description
            #expect(!command.contains("SECRET"))
            let name = encoding.lowercased().hasSuffix("gzip") ? "gzip" : "x-encoded"
            #expect(command.contains("‹redacted: application/\(name), "))
        }
    }

    @Test("sends a body without a Content-Type without one")
    func noContentType() throws {
        let request = try request(headers: [:], body: BodySource(Data("x".utf8)))
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.words.suffix(4) == ["--header", "Content-Type:", "--data-binary", "x"])
    }

    @Test(
        "passes binary data, and more data than an argument holds",
        arguments: [
            Data([0xFF, 0x00, 0x27, 0x0A, 0x5C]), Data([0x61, 0x00, 0x62]), Data([0xC3]),
            Data(repeating: 0x27, count: 300_000), Data(repeating: 0xFE, count: 300_000),
        ]
    )
    func bytes(body: Data) throws {
        let request = try request(body: BodySource(body))
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.words.suffix(2) == ["--data-binary", "@-"])
        #expect(run.body == body)
    }

    @Test("passes up to 100,000 bytes as an argument", arguments: [100_000, 100_001])
    func longestArgument(count: Int) throws {
        let body = BodySource(Data(repeating: 0x61, count: count))
        let command = CURLCommand(try request(body: body), redacting: .none).description
        #expect(command.contains("--data-binary @-") == (count > 100_000))
    }

    @Test("names the file of a body")
    func file() throws {
        let path = "/tmp/it's a \"file\" $x.txt"
        var body = BodySource(length: 3) { throw CocoaError(.fileReadNoSuchFile) }
        body.file = URL(fileURLWithPath: path)
        let command = CURLCommand(try request(body: body), redacting: .none).description
        let run = try FakeCURL.run(command)
        #expect(run.words.suffix(2) == ["--data-binary", "@" + path])
    }

    @Test("notes an omitted body that is read while it is sent")
    func stream() throws {
        let body = BodySource(length: 12) { throw CocoaError(.fileReadNoSuchFile) }
        let command = CURLCommand(try request(body: body), redacting: .none).description
        #expect(command.hasPrefix("# without the body of 12 bytes"))
        let run = try FakeCURL.run(command)
        #expect(!run.words.contains("--data-binary"))
    }

    @Test("sends a blank field as curl needs it", arguments: ["", " ", "\t", " \t"])
    func blankFields(value: String) throws {
        let run = try FakeCURL.run(
            CURLCommand(try request(.get, headers: ["X-A": value, "X-B": "b"]), redacting: .none)
                .description
        )
        #expect(
            run.words.suffix(6) == ["--header", "X-A;", "--header", "X-B: b"] + Self.noUserAgent
        )
    }

    @Test("notes a form's part that is read while it is sent")
    func streamedPart() throws {
        let live = BodySource(length: 3) { throw CocoaError(.fileReadNoSuchFile) }
        let parts = [
            FormPart(name: "a", fileName: nil, mime: nil, source: BodySource(Data("1".utf8))),
            FormPart(name: "b c", fileName: "f", mime: "x/y", source: live),
            FormPart(name: "d=e", fileName: nil, mime: nil, source: BodySource(Data("2".utf8))),
            FormPart(name: "", fileName: nil, mime: nil, source: BodySource(Data("3".utf8))),
        ]
        #expect(CURLBody(form: parts, redacting: .none, whole: true) == nil)
        let form = try #require(CURLBody(form: parts, redacting: .none, whole: false))
        #expect(form.words == [#"--form 'a="1"'"#])
        #expect(form.notes.count == 3)
        #expect(form.notes.first?.hasPrefix("without the part ") == true)
    }

    @Test(
        "passes one binary part of a form as input, with its file name or none, and notes the next",
        arguments: [(nil, "a=<-"), ("f", #"a=@-;filename="f""#)] as [(String?, String)]
    )
    func binaryParts(fileName: String?, word: String) throws {
        for content in [Data([0xFF]), Data([0x61, 0x00])] {
            let source = BodySource(content)
            let parts = ["a", "b"]
                .map { FormPart(name: $0, fileName: fileName, mime: nil, source: source) }
            let form = try #require(CURLBody(form: parts, redacting: .none, whole: false))
            #expect(form.words == ["--form '\(word)'"])
            #expect(form.notes.count == 1 && form.notes.first?.contains("b") == true)
        }
    }

    @Test(
        "passes a form's text as an argument only below 100,000 bytes",
        arguments: [99_995, 99_996]
    )
    func longParts(count: Int) {
        let text = Data(repeating: UInt8(ascii: "x"), count: count)
        let part = FormPart(name: "a", fileName: nil, mime: nil, source: BodySource(text))
        // With the name, an equals sign and two quotes.
        #expect(
            (CURLBody(form: [part], redacting: .none, whole: true) != nil) == (count + 4 < 100_000)
        )
    }

    @Test("shows a form's fields on request, and the content of a file only by its type")
    func redactedParts() throws {
        func part(
            _ name: String,
            _ fileName: String?,
            _ mime: MimeType?,
            _ text: String
        ) -> FormPart {
            FormPart(
                name: name,
                fileName: fileName,
                mime: mime,
                source: BodySource(Data(text.utf8))
            )
        }
        let parts = [
            part("a", nil, nil, "1"), part("pin", nil, nil, "SECRET"),
            part("b", "token=SECRET", "text/csv", "SECRET"), part("c", nil, .json, #"{"d":1}"#),
        ]
        func words(_ redaction: Redaction) throws -> [String] {
            try #require(CURLBody(form: parts, redacting: redaction, whole: false)).words
        }
        let csv =
            #"--form 'b="‹redacted: text/csv, 6 bytes›";type=text/csv;filename="token=redacted"'"#
        let json = #"‹redacted: application/json, 7 bytes›"#
        #expect(
            try words(.secrets) == [
                #"--form 'a="‹redacted: text/plain, 1 byte›"'"#, #"--form 'pin="‹redacted›"'"#, csv,
                #"--form 'c="\#(json)";type=application/json'"#,
            ]
        )
        #expect(
            try words(Redaction(showsFields: true)) == [
                #"--form 'a="1"'"#, #"--form 'pin="‹redacted›"'"#, csv,
                #"--form 'c="{\"d\":1}";type=application/json'"#,
            ]
        )
    }

    @Test("keeps the order of one field's values")
    func repeatedFields() throws {
        var headers: HTTPHeaders = ["X-B": "0"]
        for value in ["3", "1", "2"] { headers.append(value, for: "x-a") }
        let command = CURLCommand(try request(.get, headers: headers), redacting: .none)
        let run = try FakeCURL.run(command.description)
        let fields = ["x-a: 3", "x-a: 1", "x-a: 2", "X-B: 0"]
        #expect(run.words.suffix(10).dropLast(2).filter { $0 != "--header" } == fields)
    }

    @Test(
        "leaves the type of a form to curl, unless it isn't the usual one",
        arguments: [
            ("multipart/form-data; boundary=B", nil), ("Multipart/Form-Data", nil),
            // As curl would name its parts otherwise.
            ("multipart/mixed; boundary=B", "Content-Type: multipart/mixed; boundary=B"),
        ] as [(String, String?)]
    )
    func formType(type: String, field: String?) throws {
        var body = BodySource(Data("--B".utf8))
        body.parts = [
            FormPart(name: "a", fileName: nil, mime: nil, source: BodySource(Data("1".utf8)))
        ]
        let request = try request(headers: [.contentType: type], body: body)
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.words.first { $0.hasPrefix("Content-Type") } == field)
        let words = field == nil ? ["--form", "a=\"1\""] : ["--data-binary", "--B"]
        #expect(run.words.suffix(2) == words)
    }

    @Test(
        "sends a form as bytes if curl would read the type of a part in another way",
        arguments: [
            ("text/plain; charset=utf-8", true), ("text/x", true), ("", false), ("plain", false),
            ("a b/c d", false), ("text/x; headers=\"X: y\"", false), ("text/x; FileName=q", false),
        ]
    )
    func partType(type: String, isForm: Bool) throws {
        var body = BodySource(Data("--B".utf8))
        let mime = MimeType(rawValue: type)
        body.parts = [
            FormPart(name: "a", fileName: nil, mime: mime, source: BodySource(Data("1".utf8)))
        ]
        let request = try request(
            headers: [.contentType: "multipart/form-data; boundary=B"],
            body: body
        )
        let run = try FakeCURL.run(CURLCommand(request, redacting: .none).description)
        #expect(run.words.contains("--form") == isForm)
    }

    @Test("has the fields that NetKit sends and curl wouldn't, and none that only curl would")
    func implied() throws {
        func fields(
            _ method: HTTPMethod,
            _ body: Data?,
            _ headers: HTTPHeaders = [:]
        ) throws
            -> [String]
        {
            let request = try request(method, headers: headers, body: body.map { BodySource($0) })
            let words = try FakeCURL.run(CURLCommand(request, redacting: .none).description).words
            return words.filter { $0.hasPrefix("Content-Length") || $0.hasPrefix("Expect") }
        }
        for method in [HTTPMethod.post, .put, .patch] {
            #expect(try fields(method, nil) == ["Content-Length: 0"])
        }
        #expect(try fields(.delete, nil) == [])
        #expect(try fields(.post, Data("x".utf8)) == [])
        let large = Data(repeating: 0x78, count: 1 << 20)
        #expect(try fields(.post, large) == ["Expect:"])
        let asked: HTTPHeaders = ["Expect": "100-continue"]
        #expect(try fields(.post, large, asked) == ["Expect: 100-continue"])
        let custom = try request(.custom("get"), headers: [:])
        #expect("\(CURLCommand(custom, redacting: .none))".hasPrefix("curl --request GET"))
    }
}
