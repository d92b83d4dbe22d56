import Foundation
import NetKitTesting
import Testing

@Suite("httpbin routes", .timeLimit(.minutes(15)))
struct HTTPBinTests {
    private struct Answer {
        var status: Int
        var head: String
        var body: String

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private func answer(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: String = ""
    ) throws -> Answer {
        let server = try MockServer.httpbin()
        let client = try RawClient(port: server.port)
        let fields =
            ["Host: h:1", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
        client.send(head + body)
        let text = client.readText()
        let end = try #require(text.range(of: "\r\n\r\n"))
        let answerHead = String(text[..<end.lowerBound])
        let status = try #require(Int(answerHead.dropFirst(9).prefix(3)))
        return Answer(status: status, head: answerHead, body: String(text[end.upperBound...]))
    }

    @Test(
        "echoes the request",
        arguments: [
            (
                "GET", "/get?a=1&b=2&a=3", "", "",
                #"{"args":{"a":["1","3"],"b":"2"},"headers":{"Connection":"close","Content-Length":"0","Host":"h:1"},"#
                    + #""origin":"127.0.0.1","url":"http://h:1/get?a=1&b=2&a=3"}"#
            ),
            (
                "POST", "/post", "application/json", #"{"n":9223372036854775807}"#,
                #"{"args":{},"data":"{\"n\":9223372036854775807}","files":{},"form":{},"headers":"#
                    + #"{"Connection":"close","Content-Length":"25","Content-Type":"application/json","Host":"h:1"},"#
                    + #""json":{"n":9223372036854775807},"origin":"127.0.0.1","url":"http://h:1/post"}"#
            ),
            (
                "DELETE", "/anything/a%20b", "application/x-www-form-urlencoded", "x=1&y=%22",
                #"{"args":{},"data":"","files":{},"form":{"x":"1","y":"\""},"headers":{"Connection":"close","#
                    + #""Content-Length":"9","Content-Type":"application/x-www-form-urlencoded","Host":"h:1"},"#
                    + #""json":null,"method":"DELETE","origin":"127.0.0.1","url":"http://h:1/anything/a%20b"}"#
            ),
        ]
    )
    func echo(method: String, target: String, type: String, body: String, expected: String) throws {
        let fields = type.isEmpty ? [] : ["Content-Type: \(type)"]
        let answer = try answer(method, target, fields, body: body)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.body == expected)
    }

    @Test(
        "responds with the requested status",
        arguments: [
            ("GET", "/status/418", "", 418), ("POST", "/status/204", "", 204),
            ("GET", "/status/x", "", 400), ("GET", "/status/99", "", 400),
            ("POST", "/get", "", 404),
            ("GET", "/basic-auth/u/p", "", 401),
            ("GET", "/basic-auth/u/p%3Aq", "Authorization: Basic dTpwOnE=", 200),
            ("GET", "/basic-auth/u/p", "Authorization: Basic dTpwOnE=", 401),
            ("GET", "/basic-auth/u", "", 404),
            ("GET", "/bearer", "", 401), ("GET", "/bearer", "Authorization: Bearer t", 200),
            ("GET", "/delay/x", "", 400), ("GET", "/delay/0.01", "", 200),
            ("GET", "/drip?duration=nan", "", 400),
            ("GET", "/drip?duration=0.02&numbytes=3&code=503", "", 503),
        ]
    )
    func status(method: String, target: String, field: String, status: Int) throws {
        #expect(try answer(method, target, field.isEmpty ? [] : [field]).status == status)
    }

    @Test(
        "redirects",
        arguments: [
            ("/redirect/3", 302, "/redirect/2"), ("/redirect/1", 302, "/get"),
            ("/absolute-redirect/2", 302, "http://h:1/absolute-redirect/1"),
            ("/redirect-to?url=http%3A%2F%2Fx%2F%3Fa%3D1&status_code=307", 307, "http://x/?a=1"),
            ("/redirect-to?url=/get", 302, "/get"), ("/status/303", 303, "/redirect/1"),
        ]
    )
    func redirects(target: String, status: Int, location: String) throws {
        let answer = try answer("GET", target)
        #expect(answer.status == status)
        #expect(answer.header("Location") == location)
    }

    @Test("challenges with the requested scheme")
    func challenges() throws {
        let basic = try answer("GET", "/basic-auth/u/p")
        #expect(basic.header("WWW-Authenticate") == #"Basic realm="Fake Realm""#)
        #expect(try answer("GET", "/bearer").header("WWW-Authenticate") == "Bearer")
    }

    @Test("sends the requested content")
    func content() throws {
        #expect(try answer("GET", "/drip?duration=0.01&numbytes=5").body == "*****")
        #expect(try answer("GET", "/bytes/0").header("Content-Length") == "0")
        #expect(try answer("GET", "/bytes/1000?seed=7").header("Content-Length") == "1000")
        #expect(
            try answer("GET", "/stream-bytes/1000").header("Transfer-Encoding") == "chunked"
        )
        let uuid = try answer("GET", "/uuid").body.dropFirst(9).prefix(36)
        #expect(UUID(uuidString: String(uuid)) != nil)
        let json = Data(try answer("GET", "/json").body.utf8)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json) }
        let fields = try answer("GET", "/response-headers?X-A=1&X-B=b%20c")
        #expect(fields.header("X-A") == "1")
        #expect(fields.header("X-B") == "b c")
    }
}
