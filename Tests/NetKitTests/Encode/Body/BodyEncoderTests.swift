import Foundation
import Testing

@testable import NetKit

@Suite("Body encoder")
struct BodyEncoderTests {
    private struct Item: Codable, Sendable {
        var b = 1
        var a = "x/y"
        var at = Date(timeIntervalSince1970: 0)
    }

    private struct Measure: Encodable, Sendable {
        let values: [String: [Double]]
    }

    private struct Offer: Encodable, Sendable {
        var name = #"NaN, "NaN":NaN"#
        var price = Decimal(1)
    }

    private struct Broken: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
    }

    private func text(_ body: RequestBody) throws -> String {
        String(decoding: try BodyEncoder.encode(body).source.bytes(), as: UTF8.self)
    }

    private func refusal(_ body: RequestBody) throws -> InvalidRequest.Reason? {
        try SampleEndpoint().refusal(Sample(path: "x", method: .post, body: body))
    }

    @Test("sends bytes and text unchanged", arguments: AwkwardText.all)
    func verbatim(value: String) throws {
        #expect(try BodyEncoder.encode(.raw(Data(value.utf8))).source.bytes() == Array(value.utf8))
        #expect(try BodyEncoder.encode(.string(value)).source.bytes() == Array(value.utf8))
    }

    @Test("sends bytes and text with a media type, whatever the endpoint's")
    func typed() throws {
        for body in [
            RequestBody.raw(Data("<a/>".utf8), mime: "application/xml"),
            .string("<a/>", mime: "application/xml"),
        ] {
            let encoded = try BodyEncoder.encode(body)
            #expect(try encoded.source.bytes() == Array("<a/>".utf8))
            #expect(encoded.contentType(own: nil, default: "text/plain") == "application/xml")
            #expect(encoded.contentType(own: "text/xml", default: nil) == "text/xml")
        }
    }

    @Test("encodes params and JSON exactly")
    func json() throws {
        #expect(
            try text(.params(["max": Int64.max, "d": try #require(Decimal(string: "0.1"))]))
                == #"{"d":0.1,"max":9223372036854775807}"#
        )
        #expect(
            try text(.json(["a": [1, "z", nil], "b": ["x": 1.5]]))
                == #"{"a":[1,"z",null],"b":{"x":1.5}}"#
        )
        #expect(try text(.json("text")) == #""text""#)
    }

    @Test("sorts the keys of an Encodable value and writes dates as ISO 8601")
    func encodable() throws {
        #expect(
            try text(.encodable(Item())) == #"{"a":"x/y","at":"1970-01-01T00:00:00Z","b":1}"#
        )
    }

    @Test(
        "keeps the milliseconds of a date, in an Encodable value as in parameters",
        arguments: [
            (5, "1970-01-01T00:00:05Z"), (5.25, "1970-01-01T00:00:05.250Z"),
            (5.0004, "1970-01-01T00:00:05Z"), (5.9996, "1970-01-01T00:00:06Z"),
        ] as [(Double, String)]
    )
    func milliseconds(seconds: Double, expected: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let json = "{\"at\":\"\(expected)\"}"
        #expect(try text(.encodable(["at": date])) == json)
        #expect(try text(.params(["at": date])) == json)
        #expect(try text(.params(["at": ["at": date] as [String: Date]])) == "{\"at\":\(json)}")
    }

    @Test("refuses a date outside the years 0 to 9999 in an Encodable value")
    func distantDate() {
        let date = Date(timeIntervalSince1970: 1e12)
        #expect(throws: InvalidRequest.self) { try text(.encodable(["at": date])) }
    }

    @Test("uses a given encoder unchanged")
    func ownEncoder() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let text = try text(
            .encodable(["someKey": Date(timeIntervalSince1970: 5)], encoder: encoder)
        )
        #expect(text == #"{"some_key":5}"# || text == #"{"someKey":5}"#)
    }

    @Test("names the key path of a value without a JSON form")
    func unencodable() throws {
        struct Opaque: Sendable {}
        #expect(
            try refusal(
                .params([
                    "user": ["tags": [1, Opaque()] as [any Sendable]] as [String: any Sendable]
                ])
            )
                == .unencodableBody("user.tags[1]")
        )
        #expect(try refusal(.params(["n": Double.nan])) == .unencodableBody("n"))
        let measure = Measure(values: ["k": [1, .infinity]])
        #expect(try refusal(.encodable(measure)) == .unencodableBody("values.k[1]"))
        #expect(try refusal(.encodable(Broken())) == .unencodableBody(""))
    }

    @Test("refuses a Decimal that isn't a number in an Encodable value, but not the text NaN")
    func decimals() throws {
        let refused = Offer(price: .nan)
        for encoder in [nil, JSONEncoder()] {
            #expect(try refusal(.encodable(refused, encoder: encoder)) == .unencodableBody(""))
        }
        #expect(try refusal(.encodable(Decimal.nan)) == .unencodableBody(""))
        #expect(try refusal(.json(refused)) == .unencodableBody(""))
        #expect(try refusal(.params(["offer": refused])) == .unencodableBody("offer"))
        let json = #"{"name":"NaN, \"NaN\":NaN","price":1}"#
        #expect(try text(.encodable(Offer())) == json)
        #expect(try text(.json(Offer())) == json)
        #expect(try text(.params(["offer": Offer()])) == "{\"offer\":\(json)}")
    }

    @Test("makes fields of a literal of any values, in its order and without nil")
    func mixedForm() throws {
        let (price, since) = ("p_1", Date(timeIntervalSince1970: 5))
        let none: Int? = nil
        #expect(
            try text(
                .form([
                    "mode": "payment",
                    "items": [["price": price, "quantity": 2], ["price": "p_2"]],
                    "amount": 100, "none": none, "live": true,
                ])
            )
            .removingPercentEncoding
                == "mode=payment&items[0][price]=p_1&items[0][quantity]=2&items[1][price]=p_2"
                + "&amount=100&live=true"
        )
        let encoding = URLEncoding(dates: .secondsSince1970)
        #expect(try text(.form(["since": since, "n": 1], encoding: encoding)) == "since=5&n=1")
    }

    @Test(
        "encodes forms by the WHATWG URL standard",
        arguments: [
            ("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E"), ("&=%", "%26%3D%25"),
            ("é", "%C3%A9"), ("\r\n", "%0D%0A"), ("", ""), ("0aZ", "0aZ"),
            ("/?:@!$'()", "%2F%3F%3A%40%21%24%27%28%29"),
        ]
    )
    func form(value: String, expected: String) throws {
        #expect(try text(.form([("k", value), (value, "")])) == "k=\(expected)&\(expected)=")
    }

    @Test("encodes forms that a server reads back unchanged", arguments: AwkwardText.all)
    func formRoundTrip(value: String) throws {
        let form = try text(.form([("k", value), (value, "v"), ("k", "2")]))
        #expect(formDecoded(form) == [["k", value], [value, "v"], ["k", "2"]])
    }

    @Test("keeps an empty form empty, and an empty field a field")
    func emptyForms() throws {
        #expect(try text(.form([])).isEmpty)
        #expect(try text(.form([("", ""), ("", "")])) == "=&=")
    }
}
