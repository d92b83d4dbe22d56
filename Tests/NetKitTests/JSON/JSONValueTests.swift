import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("JSON values")
struct JSONValueTests {
    @Test("accepts nested literals")
    func literals() {
        let value: JSONValue = [
            "a": [1, "z", nil, true], "b": ["x": 1.5], "c": -2.25, "d": [:], "e": [],
        ]
        #expect(
            value
                == .object([
                    "a": .array([.number(1), .string("z"), .null, .bool(true)]),
                    "b": .object(["x": .number(Decimal(sign: .plus, exponent: -1, significand: 15))]
                    ),
                    "c": .number(Decimal(sign: .minus, exponent: -2, significand: 225)),
                    "d": .object([:]), "e": .array([]),
                ])
        )
    }

    @Test("keeps the later of two values for a key in a literal")
    func repeatedKey() {
        let value: JSONValue = ["a": 1, "a": 2]
        #expect(value == ["a": 2])
    }

    @Test(
        "keeps a float literal's number",
        arguments: [
            (1.1, "1.1"), (1.23, "1.23"), (0.1, "0.1"), (1234.56, "1234.56"), (4.35, "4.35"),
            (-0.3, "-0.3"), (1e20, "100000000000000000000"),
            (0.30000000000000004, "0.30000000000000004"),
        ]
    )
    func floats(value: Double, text: String) throws {
        #expect(JSONValue(floatLiteral: value) == .number(try #require(Decimal(string: text))))
        #expect(JSONValue(floatLiteral: value).decimalValue?.description == text)
    }

    @Test("is null for a float literal that isn't a number", arguments: [Double.nan, .infinity])
    func notANumber(value: Double) {
        #expect(JSONValue(floatLiteral: value) == .null)
    }

    @Test(
        "round-trips through coding to the last digit",
        arguments: [
            "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1", "1.1",
            "0",
            "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678",
            "-1.5", "null", "true", "false", "\"é\\n\"", "[]", "{}", "[1,[2,{\"a\":null}]]",
            "{\"a_b\":1,\"cD\":{\"e_f\":[true]}}",
        ]
    )
    func roundTrip(text: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let value = try decoder.decode(JSONValue.self, from: Data(text.utf8))
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
        #expect(String(decoding: try JSONWriter.data(from: value), as: UTF8.self) == text)
        #expect(try JSONText.value(of: Data(text.utf8)) == value)
    }

    @Test("doesn't convert between numbers and Booleans")
    func kinds() throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data("[1,0,true,false]".utf8))
        #expect(value == [1, 0, true, false])
        #expect(value[0]?.boolValue == nil)
        #expect(value[2]?.decimalValue == nil)
        #expect(value[2]?.boolValue == true)
    }

    @Test("reads members, elements and kinds")
    func access() {
        let value: JSONValue = ["a": ["x", 2]]
        #expect(value["a"]?[0]?.stringValue == "x")
        #expect(value["a"]?[1]?.decimalValue == 2)
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"] == nil)
        #expect(value[0] == nil)
    }

    @Test("rejects a number beyond Decimal, even in containers")
    func hugeNumber() {
        for text in ["1e999", "[1e999]", "{\"a\":1e999}"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            }
        }
    }

    @Test(
        "is described as compact JSON with sorted keys and exact numbers",
        arguments: [
            (nil, "null"), (true, "true"), (1.1, "1.1"), (-7, "-7"),
            (1e20, "100000000000000000000"),
            ("a\"/\n\u{1}é", #""a\"/\n\u0001é""#), ([], "[]"), ([:], "{}"),
            (
                ["b": [1, nil], "a": ["z": 0.1, "y": "x"]], #"{"a":{"y":"x","z":0.1},"b":[1,null]}"#
            ),
        ] as [(JSONValue, String)]
    )
    func description(value: JSONValue, text: String) throws {
        #expect("\(value)" == text)
        #expect(value.description == text)
        #expect(String(reflecting: value) == text)
        // It is what is sent, and reads back.
        #expect(try JSONWriter.data(from: value) == Data(text.utf8))
        #expect(try JSONText.value(of: Data(text.utf8)) == value)
    }

    @Test("describes a value without a JSON form by its key path")
    func unencodableDescription() {
        let value: JSONValue = ["a": [1, .object(["b": .number(.nan)])]]
        #expect("\(value)" == "no JSON: the \(Decimal.self) at \"a[1].b\"")
        let deep = (0..<600).reduce(JSONValue.null) { value, _ in .array([value]) }
        #expect("\(deep)".hasPrefix("no JSON: "))
    }

    private struct Order: Codable, Equatable {
        var id: Int
        var price: Decimal
        var placedAt: Date?
    }

    @Test("decodes to a type, by the rules of a decoder")
    func decoded() throws {
        let value: JSONValue = ["id": 7, "price": 0.1, "placed_at": "1970-01-01T00:00:05Z"]
        let order: Order = try value.decoded()
        #expect(order == Order(id: 7, price: try #require(Decimal(string: "0.1"))))
        let dated = try value.decoded(to: Order.self, using: .snakeCaseISO8601)
        #expect(dated.placedAt == Date(timeIntervalSince1970: 5))
        #expect(try JSONValue.null.decoded(to: Order?.self) == nil)
        #expect(try JSONValue("text").decoded(to: String.self) == "text")
        #expect(try value.decoded(to: JSONValue.self) == value)
    }

    @Test("names the place of a value that doesn't decode, or has no JSON form")
    func undecodable() throws {
        let value: JSONValue = ["id": "x", "price": 1]
        let failure = #expect(throws: DecodingFailure.self) { try value.decoded(to: Order.self) }
        #expect(failure?.path == "id")
        let infinite: JSONValue = ["id": 1, "price": .number(.nan)]
        let problem = #expect(throws: DecodingFailure.self) { try infinite.decoded(to: Order.self) }
        #expect(problem?.path == "price")
        let deep = (0..<600).reduce(JSONValue.null) { value, _ in .array([value]) }
        #expect(throws: DecodingFailure.self) { try deep.decoded(to: JSONValue.self) }
    }
}
