import Foundation
import Testing

@testable import NetKit

@Suite("Flat fields")
struct FlatFieldsTests {
    private struct Filter: Encodable, Sendable {
        struct Range: Encodable { let from: Int64, to: Decimal? }
        let name: String
        let range: Range
        let tags: [String]
        let isOpen: Bool
        let rows: [[Int]]
        let none: Int?
    }

    private func text(
        _ value: any Encodable,
        _ encoding: URLEncoding = URLEncoding()
    ) throws -> String {
        try FlatFields.fields(of: value, encoder: JSONEncoder(), encoding: encoding)
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private class Base: Encodable {
        enum Keys: CodingKey { case tags, range }
        let tags: [String]

        init(tags: [String]) { self.tags = tags }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(tags, forKey: .tags)
            try container.encode(["from": 1], forKey: .range)
        }
    }

    private final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(["b"], forKey: .tags)
            try container.encode(["to": 2], forKey: .range)
        }
    }

    @Test("replaces a member that is encoded again, as JSONEncoder does")
    func again() throws {
        #expect(try text(Derived(tags: ["a"])) == "tags[]=b&range[to]=2")
    }

    @Test("flattens nested values under their names, with exact numbers")
    func nesting() throws {
        let filter = Filter(
            name: "a b",
            range: .init(from: .max, to: Decimal(string: "0.1")),
            tags: ["x", "y"],
            isOpen: true,
            rows: [[1, 2], []],
            none: nil
        )
        #expect(
            try text(filter)
                == "name=a b&range[from]=9223372036854775807&range[to]=0.1&tags[]=x&tags[]=y"
                + "&isOpen=true&rows[0][]=1&rows[0][]=2"
        )
        let other = URLEncoding(arrays: .comma, booleans: .numeric, nesting: .dots)
        #expect(
            try text(filter, other)
                == "name=a b&range.from=9223372036854775807&range.to=0.1&tags=x,y&isOpen=1"
                + "&rows[0]=1,2"
        )
    }

    @Test(
        "omits an array's nil values in each format",
        arguments: [
            (URLEncoding.Arrays.repeated, "ids=1&ids=2"), (.brackets, "ids[]=1&ids[]=2"),
            (.comma, "ids=1,2"),
        ]
    )
    func missing(arrays: URLEncoding.Arrays, expected: String) throws {
        struct Filter: Encodable { let ids: [Int?] }
        let encoding = URLEncoding(arrays: arrays)
        #expect(try text(Filter(ids: [1, nil, 2]), encoding) == expected)
    }

    @Test("keeps the order of encoded members, and sorts a dictionary's")
    func order() throws {
        struct Backwards: Encodable {
            enum CodingKeys: String, CodingKey { case last, middle, first, dictionary }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                for key in [CodingKeys.last, .middle, .first] {
                    try container.encode(1, forKey: key)
                }
                try container.encode(["b": 2, "a": 1], forKey: .dictionary)
                try container.encode(3, forKey: .middle)
            }
        }
        #expect(
            try text(Backwards()) == "last=1&middle=3&first=1&dictionary[a]=1&dictionary[b]=2"
        )
    }

    @Test(
        "writes numbers exactly",
        arguments: [
            (Int64.max as any Encodable & Sendable, "9223372036854775807"),
            (UInt64.max, "18446744073709551615"), (Int8.min, "-128"), (0.1, "0.1"),
            (Float(0.1), "0.1"),
            (2.0, "2"), (1e21, "1e+21"),
            (
                Decimal(string: "12345678901234567890.123456789")!,
                "12345678901234567890.123456789"
            ),
        ]
    )
    func numbers(_ number: any Encodable & Sendable, written: String) throws {
        func holding(_ number: some Encodable) -> any Encodable { Holder(number: number) }
        #expect(try text(holding(number)) == "number=\(written)")
    }

    private struct Holder<Number: Encodable>: Encodable {
        let number: Number
    }

    private struct Moment: Encodable {
        let createdAt = Date(timeIntervalSince1970: 1_709_209_800.25)
    }

    @Test("writes dates by the URL encoding, unless the encoder has a strategy")
    func dates() throws {
        #expect(try text(Moment()) == "createdAt=2024-02-29T12:30:00.250Z")
        #expect(
            try text(Moment(), URLEncoding(dates: .secondsSince1970)) == "createdAt=1709209800.25"
        )
        #expect(
            try text(Moment(), URLEncoding(dates: .millisecondsSince1970))
                == "createdAt=1709209800250"
        )
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode("at \(Int(date.timeIntervalSince1970))")
        }
        let fields = try FlatFields.fields(of: Moment(), encoder: encoder, encoding: URLEncoding())
        #expect(fields.map(\.1) == ["at 1709209800"])
    }

    @Test("uses the encoder's strategies for keys and data")
    func strategies() throws {
        struct Upload: Encodable {
            let pageURLString = "u"
            let rawBytes = Data([1, 255])
            let byName = ["keepMe": 1]
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let fields = try FlatFields.fields(of: Upload(), encoder: encoder, encoding: URLEncoding())
        #expect(
            fields.map { "\($0.0)=\($0.1)" }
                == ["page_url_string=u", "raw_bytes=Af8=", "by_name[keepMe]=1"]
        )
    }

    @Test("supports super encoders, nested containers, optionals and enums")
    func containers() throws {
        class Base: Encodable {
            let id = 1
        }
        final class Derived: Base {
            enum CodingKeys: CodingKey { case kind, nested }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(Kind.fast, forKey: .kind)
                try container.encodeNil(forKey: .nested)
                try super.encode(to: container.superEncoder())
                var nested = container.nestedUnkeyedContainer(forKey: .nested)
                try nested.encode(1)
                try nested.encodeNil()
                var inner = nested.nestedContainer(keyedBy: CodingKeys.self)
                try inner.encode(UUID?.none, forKey: .kind)
                try inner.encode(true, forKey: .nested)
            }
        }
        enum Kind: String, Encodable { case fast }
        #expect(try text(Derived()) == "kind=fast&nested[0]=1&nested[2][nested]=true&super[id]=1")
    }

    @Test("names the key path of an unencodable value")
    func place() {
        struct Outer: Encodable {
            struct Inner: Encodable { let number: Double }
            let inner: [Inner]
        }
        let error = #expect(throws: InvalidRequest.self) {
            try text(Outer(inner: [.init(number: 1), .init(number: .nan)]))
        }
        #expect(error?.reason == .unencodableBody("inner[1].number"))
    }

    @Test("rejects a value that isn't an object")
    func refusals() {
        for value in [1, "a", [1], Double.nan] as [any Encodable] {
            #expect(throws: InvalidRequest.self) { try text(value) }
        }
    }
}
