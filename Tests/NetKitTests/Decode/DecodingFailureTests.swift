import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Decoding failures")
struct DecodingFailureTests {
    private struct Order: Decodable, Sendable { let items: [Item], notes: [Int: Int]? }
    private struct Item: Decodable, Sendable {
        let price: Double
        let count: Int8?, when: Date?, link: URL?, kind: Kind?, pair: Pair?
    }
    private enum Kind: String, Decodable, Sendable { case book }
    private struct Pair: Decodable, Sendable {
        let first: Int, second: Int?
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            first = (try? container.decode(Int8.self)).map(Int.init) ?? 0
            second = try container.decodeIfPresent(Int.self)
        }
    }

    private func failure(
        _ body: String,
        _ decoder: JSONDecoder = JSONDecoder()
    ) throws -> DecodingFailure {
        try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(body).decoded(to: Order.self, using: decoder)
        }
    }

    /// Refuses one of its members by itself.
    private struct Shape: Decodable, Sendable {
        private enum Key: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            throw DecodingError.dataCorruptedError(
                forKey: .type,
                in: values,
                debugDescription: "SECRET"
            )
        }
    }

    @Test("names the member that a type refuses")
    func refusedMember() throws {
        let body = Data(#"[{"type":"box"}]"#.utf8)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Shape].self, from: body)
        }
        let diagnosis = DecodingDiagnosis(
            try #require(error),
            decoding: [Shape].self,
            from: body,
            using: JSONDecoder()
        ) { _ in nil }
        #expect(diagnosis.path == "[0].type")
        #expect(diagnosis.problem == "Shape refuses a string")
    }

    @Test(
        "names the coding path, the expected type and the found value",
        arguments: [
            (#"{"items":[{"price":"9"}]}"#, "items[0].price: expected Double, found a string"),
            (
                #"{"items":[{"price":1},{"price":null}]}"#,
                "items[1].price: expected Double, found null"
            ),
            (#"{"items":[{"price":1},{}]}"#, "items[1].price: the key is missing"),
            (#"{"items":{}}"#, "items: expected an array, found an object"),
            (#"{"items":[1]}"#, "items[0]: expected an object, found a number"),
            (#"{"items":[{"price":true}]}"#, "items[0].price: expected Double, found a boolean"),
            ("[]", "expected an object, found an array"),
            ("7", "expected an object, found a number"),
            (#"{"items":[],"notes":{"5":"x"}}"#, "notes.5: expected Int, found a string"),
            (
                #"{"items":[{"price":1,"count":300}]}"#,
                "items[0].count: expected Int8, found a number that does not fit"
            ),
            (
                #"{"items":[{"price":1},{"price":2,"count":1.5}]}"#,
                "items[1].count: expected Int8, found a number that does not fit"
            ),
            (
                #"{"items":[{"price":1e999}]}"#,
                "items[0].price: expected Double, found a number that does not fit"
            ),
            (
                #"{"items":[{"price":1,"link":""}]}"#,
                "items[0].link: found a string that is no URL"
            ),
            (
                #"{"items":[{"price":1,"kind":"SECRET"}]}"#,
                "items[0].kind: found a string that is no case of Kind"
            ),
            (
                #"{"items":[{"price":1,"pair":[1,1.5]}]}"#,
                "items[0].pair[1]: expected Int, found a number that does not fit"
            ),
            (#"{"items":[{"price":1]}"#, "the body is not JSON: unexpected character at byte 20"),
            (#"{"items":["#, "the body is not JSON: unexpected end at byte 10"),
            ("<html>SECRET", "the body is not JSON: unexpected character at byte 0"),
            ("", "the body is empty; it can't be decoded as Order"),
        ]
    )
    func descriptions(body: String, expected: String) throws {
        let failure = try failure(body)
        #expect(failure.description == expected + " (decoding Order)")
        #expect(failure.localizedDescription == failure.description)
        var dumped = ""
        dump(failure, to: &dumped)
        #expect(!"\(failure) \(String(reflecting: failure)) \(dumped)".contains("SECRET"))
    }

    private struct Person: Decodable, Sendable { let born: Date }

    @Test(
        "names the form of a date that the decoder expects, and what to set",
        arguments: [
            (
                JSONDecoder.DateDecodingStrategy.deferredToDate, #""2024-02-29T12:30:00Z""#,
                ".deferredToDate"
            ),
            (.secondsSince1970, #""2024-02-29""#, ".secondsSince1970"),
            (.millisecondsSince1970, "null", ".millisecondsSince1970"),
            (.iso8601, "5", ".iso8601"), (.iso8601, #""yesterday""#, ".iso8601"),
        ]
    )
    func dates(
        strategy: JSONDecoder.DateDecodingStrategy,
        value: String,
        name: String
    ) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = strategy
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample("{\"born\":\(value)}").decoded(to: Person.self, using: decoder)
        }
        let form = name == ".iso8601" ? "ISO 8601 text" : "a number"
        let found =
            switch value {
            case "null": "null"
            case "5": "a number"
            case #""yesterday""#: "a string of another form"
            default: "a string"
            }
        let preset =
            value.hasPrefix("\"") ? ", such as .snakeCaseISO8601" : ""
        #expect(
            failure.description
                == "born: expected a Date as \(form) (the decoder's dateDecodingStrategy is \(name)),"
                + " found \(found); assign a decoder with another strategy\(preset) (decoding Person)"
        )
        #expect(failure.expected == "Date" && failure.path == "born")
    }

    @Test("leaves a date of the user's own strategy, and a number, as they are")
    func otherForms() throws {
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(#"{"born":"x"}"#)
                .decoded(to: Person.self, using: .snakeCaseISO8601)
        }
        #expect(failure.description == "born: found a string that is no Date (decoding Person)")
        let price = try self.failure(#"{"items":[{"price":"9"}]}"#)
        #expect(price.expected == "Double")
    }

    @Test(
        "says what arrived instead of JSON, and its title only to people",
        arguments: [
            (
                "<!DOCTYPE html><title>Sign in</title>", "text/html; charset=utf-8",
                "expected JSON, got text/html", #" ("Sign in")"#
            ),
            ("<html>SECRET", "application/json", "expected JSON, got HTML", ""),
            ("<html>SECRET", nil, "expected JSON, got HTML", ""),
            ("<?xml version='1.0'?><a/>", "text/xml", "expected JSON, got XML", ""),
            (
                "SECRET", "text/plain",
                "the body is not JSON: unexpected character at byte 0; its Content-Type is text/plain",
                ""
            ),
            ("SECRET", "text/json", "the body is not JSON: unexpected character at byte 0", ""),
        ] as [(String, String?, String, String)]
    )
    func foreign(body: String, type: String?, text: String, title: String) throws {
        let response = try HTTPResponse.sample(body, type: type)
        for converter in [nil, KeyPathResponseConverter(path: "a")] {
            let result = SampleRequest(Order.self, converter: converter).interpreted(response)
            guard case .failure(let error) = result else {
                Issue.record("\(result)")
                continue
            }
            let type = converter == nil ? " (decoding Order)" : ""
            let start = "the response can't be decoded: \(text)"
            #expect(error.message == start + title + type)
            #expect(error.description == "GET https://host/path: \(start)\(type)")
        }
    }

    @Test(
        "survives exponents beyond any integer",
        arguments: [
            "1.0e-9223372036854775808", "10e9223372036854775807", "1e99999999999999999999",
        ]
    )
    func exponents(number: String) throws {
        struct Named: Decodable, Sendable { let id: String }
        for (body, path) in [("{\"id\":\(number)}", "id"), ("{\"id\":\(number)", "")] {
            let failure = try #require(throws: DecodingFailure.self) {
                try HTTPResponse.sample(body).decoded(to: Named.self)
            }
            #expect(failure.path == path)
        }
        let request = SampleRequest(Named.self, converter: ClosureResponseConverter { $0 })
        let result = request.interpreted(try .sample("{\"id\":\(number)}"))
        guard case .failure(.decoding(_, let underlying as DecodingFailure)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(underlying.path == "id")
    }

    @Test("survives nesting at and beyond JSONDecoder's limit")
    func deep() throws {
        struct Tree: Decodable { let value: Int8, child: [Tree] }
        struct Envelope: Decodable { let extra: JSONValue, id: Int8 }
        func tree(_ depth: Int) -> String {
            String(repeating: #"{"value":1,"child":["#, count: depth)
                + #"{"value":300,"child":[]}"# + String(repeating: "]}", count: depth)
        }
        let fit = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(tree(200)).decoded(to: Tree.self)
        }
        #expect(fit.path == String(repeating: "child[0].", count: 200) + "value")
        for depth in [300, 100_000] {
            #expect(throws: DecodingFailure.self) {
                try HTTPResponse.sample(tree(depth)).decoded(to: Tree.self)
            }
        }
        for depth in [500, 600, 100_000] {
            let nested =
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let body = "{\"extra\":\(nested),\"id\":300}"
            #expect(throws: DecodingFailure.self) {
                try HTTPResponse.sample(body).decoded(to: Envelope.self)
            }
        }
    }

    @Test("stays one short line, whatever the names of the server's members")
    func hostileKeys() throws {
        let key = "a\\n\\u001b[31m" + String(repeating: "k", count: 10_000)
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample("{\"\(key)\":\"x\"}").decoded(to: [String: Int].self)
        }
        #expect(failure.description.count < 400)
        #expect(failure.description.hasPrefix("a [31mkkk"))
        #expect(failure.path.count > 10_000)
    }

    @Test("keeps the DecodingError")
    func underlying() throws {
        let failure = try failure(#"{"items":[{"price":"9"}]}"#)
        guard case .typeMismatch(let type, let context) = failure.underlyingError as? DecodingError
        else {
            Issue.record("\(failure)")
            return
        }
        #expect(type is Double.Type)
        #expect(context.codingPath.count == 3)
        #expect(failure.path == "items[0].price")
        #expect(failure.type == "Order")
    }

    @Test("describes the value of a key renamed by a strategy")
    func renamedKeys() throws {
        struct Line: Decodable { let unitPrice: Double }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(#"{"unit_price":"x"}"#).decoded(to: Line.self, using: decoder)
        }
        #expect("\(failure)" == "unitPrice: expected Double, found a string (decoding Line)")
    }

    @Test(
        "follows the decoder where it reads more than JSON",
        arguments: [
            ("{a: 300}", "a: found a value that is no UInt8"),
            (#"{"a": 300, }"#, "a: expected UInt8, found a number that does not fit"),
            ("{a: 'x'}", "a: expected UInt8, found a string"),
            ("{a: ", "the body is not JSON: unexpected character at byte 1"),
            ("<html>", "the body is not JSON: unexpected character at byte 0"),
        ]
    )
    func lenientDecoders(body: String, expected: String) throws {
        struct Small: Decodable { let a: UInt8 }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(body).decoded(to: Small.self, using: decoder)
        }
        #expect("\(failure)" == "\(expected) (decoding Small)")
        let document = try HTTPResponse.sample("{a: 1}")
        #expect(try document.decoded(to: JSONValue.self, using: decoder) == ["a": 1])
        let assuming = JSONDecoder()
        assuming.assumesTopLevelDictionary = true
        let members = try HTTPResponse.sample(#""a": 1"#)
        #expect(try members.decoded(to: JSONValue.self, using: assuming) == ["a": 1])
    }

    @Test("prefixes the converter's key path to the coding path")
    func belowKeyPath() throws {
        let response = try HTTPResponse.sample(#"{"a":[{"id":"x"}],"b":"x"}"#)
        let nested = try #require(throws: DecodingFailure.self) {
            try response.decoded(to: SampleUser.self, keyPath: "a/0")
        }
        #expect(nested.path == "a[0].id")
        let itself = try #require(throws: DecodingFailure.self) {
            try response.decoded(to: Int.self, keyPath: "b")
        }
        #expect(itself.path == "b")
        let index = try #require(throws: DecodingFailure.self) {
            try response.decoded(to: [SampleUser].self, keyPath: "a")
        }
        #expect(index.path == "a[0].id")
    }

    @Test("doesn't replace a custom error thrown by init(from:)")
    func ownErrors() throws {
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws { throw SampleFailure() }
        }
        #expect(throws: SampleFailure.self) {
            try HTTPResponse.sample("{}").decoded(to: Picky.self)
        }
    }
}
