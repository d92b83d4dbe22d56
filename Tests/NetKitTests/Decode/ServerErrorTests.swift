import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Server errors")
struct ServerErrorTests {
    private let decoder = JSONDecoder()

    @Test("decodes a String from the body's text")
    func text() throws {
        #expect(
            try String.decode(from: .sample("nope", type: "text/plain"), using: decoder) == "nope"
        )
        #expect(try String.decode(from: .sample("\"nope\""), using: decoder) == "nope")
        #expect(try String.decode(from: .sample("{\"a\":1}"), using: decoder) == "{\"a\":1}")
        #expect(try String.decode(from: .sample(), using: decoder).isEmpty)
        #expect("nope".message == "nope")
    }

    @Test("decodes an empty body to nil for an optional type")
    func optional() throws {
        #expect(try String?.decode(from: .sample(), using: decoder) == nil)
        #expect(try String?.decode(from: .sample("null"), using: decoder) == nil)
        #expect(try String?.decode(from: .sample("x"), using: decoder) == "x")
        #expect(try SampleError?.decode(from: .sample(), using: decoder) == nil)
        #expect(String?.none.message == "Empty response")
        #expect(String?.some("x").message == "x")
        #expect(throws: DecodingFailure.self) {
            try SampleError?.decode(from: .sample("[]"), using: decoder)
        }
    }

    @Test("decodes a Decodable type with the given decoder")
    func decodable() throws {
        struct Failure: ServerError, Decodable {
            let errorMessage: String; var message: String { errorMessage }
        }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let response = try HTTPResponse.sample("{\"error_message\":\"no\"}", type: "text/plain")
        #expect(try Failure.decode(from: response, using: snake).message == "no")
        #expect(throws: DecodingFailure.self) { try Failure.decode(from: response, using: decoder) }
    }

    @Test(
        "finds a ServerMessage in any common JSON shape or text",
        arguments: [
            (#"{"message":"m"}"#, "m"), (#"{"msg":"a","message":"b"}"#, "a"),
            (#"{"error":"e"}"#, "e"),
            (#"{"err":"e"}"#, "e"), (#"{"err":{"message":"m"}}"#, "m"),
            (#"{"error":{"message":"m","code":1}}"#, "m"),
            (#"{"error":{"code":1},"detail":"d"}"#, "d"), (#"{"title":"t","detail":"d"}"#, "d"),
            (#"{"title":"t"}"#, "t"),
            (#"{"error":"invalid_grant","error_description":"expired"}"#, "expired"),
            (#"{"errors":["a","b"]}"#, "a, b"), (#"{"Message":"m"}"#, "m"),
            (#"{"errorMessages":["a"],"errors":{}}"#, "a"),
            (#"{"errorMessages":[],"errors":{"name":"is long"}}"#, "name: is long"),
            (#"{"errors":[{"message":"a"},{"detail":"b"}]}"#, "a, b"),
            (
                #"{"errors":{"name":["is long"],"email":["is taken","is odd"]}}"#,
                "email: is taken, is odd, name: is long"
            ),
            (#"{"message":"","error":"e"}"#, "e"), (#"{"message":5,"error":"e"}"#, "e"),
            (#"{"message":" \n\t","error":"e"}"#, "e"), (#"{"errors":[" ","b"]}"#, "b"),
            (#"{"error":true,"reason":"r"}"#, "r"), (#"{"error":{"reason":"r"}}"#, "r"),
            (#"["a"]"#, "a"),
            (#"[{"message":"m"}]"#, "m"), ("\"text\"", "text"), ("plain text\n", "plain text"),
            ("{\"a\":1}", "HTTP 404 Not Found"), ("[]", "HTTP 404 Not Found"),
            ("null", "HTTP 404 Not Found"), ("", "HTTP 404 Not Found"),
            (" \n", "HTTP 404 Not Found"), (#"{"message":" \n"}"#, "HTTP 404 Not Found"),
            ("<h1>x</h1>", "HTTP 404 Not Found"), ("12", "12"), ("1 < 2", "1 < 2"),
            ("\n\n first \t line\r\nsecond", "first line"), ("a\u{0}b", "HTTP 404 Not Found"),
            (#"{"message":"one\r\ntwo\u001b[31m"}"#, "one two [31m"),
            ("<!DOCTYPE html>\n<html><head><title>Bad\n Gateway</title>", "Bad Gateway"),
            ("\u{FEFF}<HTML><TITLE lang=en>a &amp;lt; b&nbsp;&#39;c&#39;</TITLE>", "a &lt; b 'c'"),
            ("<html><title></title><p>SECRET</p></html>", "HTTP 404 Not Found"),
            ("<html><title", "HTTP 404 Not Found"), ("<html><title>x", "HTTP 404 Not Found"),
            ("<html><titles>x</titles>", "HTTP 404 Not Found"),
            ("<?xml version=\"1.0\"?><Error><Code>SECRET</Code></Error>", "HTTP 404 Not Found"),
            (#"{"message":"<html><title>t</title>SECRET"}"#, "t"),
        ]
    )
    func messages(body: String, expected: String) throws {
        let response = try HTTPResponse.sample(body, status: 404)
        #expect(try ServerMessage.decode(from: response, using: decoder).message == expected)
    }

    @Test("limits a ServerMessage to 200 characters")
    func bounded() throws {
        let page = "<html><title>" + String(repeating: "t", count: 70_000) + "</title></html>"
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 300)
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        let texts = [
            String(repeating: "x", count: 201), String(repeating: "word ", count: 10_000),
            family, stacked, "[\"\(String(repeating: "y", count: 500))\"]", page,
            String(repeating: "<title", count: 20_000),
        ]
        for text in texts {
            let response = try HTTPResponse.sample(text, status: 500, type: "text/plain")
            let message = try ServerMessage.decode(from: response, using: decoder).message
            #expect((1...200).contains(message.count))
        }
        let exact = String(repeating: "x", count: 200)
        let response = try HTTPResponse.sample(exact, status: 500)
        #expect(try ServerMessage.decode(from: response, using: decoder).message == exact)
    }

    @Test("stops searching deeply nested JSON for a ServerMessage")
    func nesting() throws {
        let body =
            String(repeating: "{\"error\":", count: 400) + "\"x\""
            + String(repeating: "}", count: 400)
        let response = try HTTPResponse.sample(body, status: 500)
        let message = try ServerMessage.decode(from: response, using: decoder).message
        #expect(message == "HTTP 500 Internal Server Error")
    }

    @Test(
        "searches four levels of JSON for a ServerMessage",
        arguments: [
            (#"{"error":{"error":{"error":"m"}}}"#, "m"),
            (#"{"error":{"error":{"error":{"error":"m"}}}}"#, nil),
            (#"[[["m"]]]"#, "m"), (#"[[[["m"]]]]"#, nil),
            (#"{"errors":{"a":{"error":"m"}}}"#, "a: m"), (#"{"errors":{"a":["m"]}}"#, "a: m"),
            (#"{"errors":{"a":{"error":{"error":"m"}}}}"#, nil),
            (#"{"errors":{"a":[["m"]]}}"#, nil), (#"{"errors":[{"error":"m"}]}"#, "m"),
            (#"{"errors":[{"error":["m"]}]}"#, nil),
        ] as [(String, String?)]
    )
    func levels(body: String, message: String?) throws {
        #expect(ServerMessage.words(in: try JSONText.value(of: Data(body.utf8))) == message)
    }

    @Test("decodes the RFC 9457 members of ProblemDetails, and all others")
    func problem() throws {
        let body = """
            {"type":"https://example.com/out-of-credit","title":"No credit.","status":403,"detail":"Costs 50.",
            "instance":"/account/12345","balance":30.25,"accounts":["/a/1"],"user_id":9223372036854775807}
            """
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        for decoder in [decoder, snake] {
            let problem = try ProblemDetails.decode(
                from: .sample(body, status: 403, type: "application/problem+json"),
                using: decoder
            )
            #expect(problem.type == "https://example.com/out-of-credit")
            #expect(problem.title == "No credit.")
            #expect(problem.status == 403)
            #expect(problem.instance == "/account/12345")
            #expect(problem.message == "Costs 50.")
            #expect(
                problem.extensions == [
                    "balance": 30.25, "accounts": ["/a/1"], "user_id": 9_223_372_036_854_775_807,
                ]
            )
        }
    }

    @Test(
        "ignores members of ProblemDetails that are blank or have the wrong type",
        arguments: [
            ("{}", ""), (#"{"title":1,"status":"x"}"#, ""), (#"{"title":"t","detail":null}"#, "t"),
            (#"{"status":418}"#, "HTTP 418"),
            (#"{"status":4.5,"type":"about:blank"}"#, "about:blank"),
            (#"{"detail":"","title":"t"}"#, "t"), (#"{"detail":" \n","title":"t"}"#, "t"),
            (#"{"detail":"","title":" ","status":418}"#, "HTTP 418"),
            (#"{"detail":"","type":"/problem"}"#, "/problem"), (#"{"detail":" ","type":""}"#, ""),
        ]
    )
    func odd(body: String, message: String) throws {
        #expect(try ProblemDetails.decode(from: .sample(body), using: decoder).message == message)
    }

    @Test("rejects ProblemDetails that aren't an object", arguments: ["[]", "\"x\"", "", "<html>"])
    func noProblem(body: String) throws {
        #expect(throws: DecodingFailure.self) {
            try ProblemDetails.decode(from: .sample(body), using: decoder)
        }
    }
}
