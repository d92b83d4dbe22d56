import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("JSON writer")
struct JSONWriterTests {
    private enum Colour: String, Codable { case red }
    private enum Size: Int { case small = 1 }
    private enum Field: String, CodingKeyRepresentable { case name }
    private struct Moment: Encodable { let at: Date, data: Data, url: URL? }
    private struct Measure: Encodable { let values: [Double] }
    private final class Reference: Encodable, Sendable { let value = 1 }
    private struct Opaque {}

    private func text(_ value: Any) throws -> String {
        String(decoding: try JSONWriter.data(fromAny: value), as: UTF8.self)
    }

    @Test("sorts keys and writes null for nil, at any depth")
    func objects() throws {
        let parameters: [String: any Sendable] = [
            "z": 1, "a": ["y": nil as Int?, "b": [1, 2] as [Int]] as [String: any Sendable],
            "m": Optional<Optional<Int>>.some(nil), "n": Optional("x"),
            "k": ["l": Optional<Int>.none, "m": 2],
        ]
        let data = try JSONWriter.data(fromParameters: parameters)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"a":{"b":[1,2],"y":null},"k":{"l":null,"m":2},"m":null,"n":"x","z":1}"#
        )
        #expect(try JSONWriter.data(fromParameters: [:]) == Data("{}".utf8))
    }

    @Test("writes every integer exactly")
    func integers() throws {
        #expect(try text(Int64.max) == "9223372036854775807")
        #expect(try text(Int64.min) == "-9223372036854775808")
        #expect(try text(UInt64.max) == "18446744073709551615")
        #expect(try text([Int8.min, Int8.max]) == "[-128,127]")
        #expect(try text(UInt8(7)) == "7")
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            #expect(try text(Int128.max) == "170141183460469231731687303715884105727")
        }
        #expect(try text(NSNumber(value: Int64.max)) == "9223372036854775807")
        #expect(try text(NSNumber(value: UInt64.max)) == "18446744073709551615")
        #expect(try text(NSNumber(value: Int8(1))) == "1")
    }

    @Test(
        "writes floats as their shortest text, whole ones without a fraction",
        arguments: [
            (1.0, "1"), (0.1, "0.1"), (-2.5, "-2.5"), (1e20, "1e+20"), (1e-7, "1e-07"),
            (-0.0, "-0"),
            (0.30000000000000004, "0.30000000000000004"),
        ]
    )
    func floats(value: Double, expected: String) throws {
        #expect(try text(value) == expected)
        #expect(try text(NSNumber(value: value)) == expected)
        #expect(try text([value]) == "[\(expected)]")
    }

    #if arch(x86_64) && os(Linux)
    @Test("writes a float that isn't Encodable")
    func longFloats() throws {
        #expect(try text(Float80(1.5)) == "1.5")
        #expect(try text([Float80(-2)]) == "[-2]")
    }
    #endif

    @Test("keeps Decimal exact, and distinguishes Booleans from numbers")
    func otherNumbers() throws {
        let decimal = try #require(Decimal(string: "12345678901234567890.123456789012345678"))
        #expect(try text(decimal) == "12345678901234567890.123456789012345678")
        #expect(try text(NSDecimalNumber(decimal: decimal)) == decimal.description)
        #expect(try text(Float(0.1)) == "0.1")
        #expect(try text(NSNumber(value: Float(0.1))) == "0.1")
        #expect(try text(CGFloat(1.5)) == "1.5")
        #expect(try text([true, false]) == "[true,false]")
        #expect(try text([NSNumber(value: true), NSNumber(value: 1)]) == "[true,1]")
        #expect(try text([NSNumber(value: false), NSNumber(value: 0)]) == "[false,0]")
    }

    @Test(
        "escapes only what RFC 8259 requires",
        arguments: [
            ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1F}", #""\u0000\u001f""#), ("a/b", #""a/b""#),
            ("é😀\u{2028}", "\"é😀\u{2028}\""),
            ("", "\"\""),
        ]
    )
    func strings(value: String, expected: String) throws {
        #expect(try text(value) == expected)
        #expect(try text(Substring(value)) == expected)
        #expect(try JSONDecoder().decode(String.self, from: Data(expected.utf8)) == value)
        #expect(try text([value: 1]) == "{\(expected):1}")
    }

    @Test("writes dates, URLs, UUIDs and data as strings")
    func foundationValues() throws {
        let date = Date(timeIntervalSince1970: 1_709_210_096)
        let url = try #require(URL(string: "https://host/a?b=c"))
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try text(date) == #""2024-02-29T12:34:56Z""#)
        #expect(try text(url) == #""https://host/a?b=c""#)
        #expect(try text(id) == #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
        #expect(try text(Data([1, 2, 3])) == #""AQID""#)
        #expect(try text([date, url, id] as [Any]).hasPrefix(#"["2024-02-29T12:34:56Z","https:"#))
        #expect(try text([NSNull(), NSString("x")] as [Any]) == #"[null,"x"]"#)
        let objects: [Any] = [date as NSDate, url as NSURL, id as NSUUID, NSData(data: Data([1]))]
        let values: [Any] = [date, url, id, Data([1])]
        let (fromObjects, fromValues) = (try text(objects), try text(values))
        #expect(fromObjects == fromValues)
        let array = NSArray(array: [NSDictionary(dictionary: ["a": 1])])
        #expect(try text(array) == #"[{"a":1}]"#)
    }

    @Test("writes collections of any type, and sorts sets")
    func collections() throws {
        #expect(try text(["b", "a"] as Set) == #"["a","b"]"#)
        #expect(try text(Set(10...30)) == "[\((10...30).map { "\($0)" }.joined(separator: ","))]")
        #expect(try text([1, 2, 3][1...]) == "[2,3]")
        #expect(try text([2: "b", 1: "a"]) == #"{"1":"a","2":"b"}"#)
        #expect(try text([Field.name: 1]) == #"{"name":1}"#)
        #expect(try text(["ab".dropFirst(): 1]) == #"{"b":1}"#)
        #expect(try text([UInt8(7): 1]) == #"{"7":1}"#)
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try text([id: 1]) == #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":1}"#)
        #expect(
            try text(["a": ["b": ["c": [Optional(1), nil]]]]) == #"{"a":{"b":{"c":[1,null]}}}"#
        )
        #expect(try text([AnyHashable("k"): AnyHashable(1)]) == #"{"k":1}"#)
    }

    @Test("writes raw values, JSON values and Encodable values in place")
    func ownTypes() throws {
        let value: JSONValue = ["b": [1, nil, 1.1], "a": "x"]
        #expect(try text([Colour.red]) == #"["red"]"#)
        #expect(try text(Size.small) == "1")
        #expect(try text(["r": Reference()]) == #"{"r":{"value":1}}"#)
        #expect(try text(["v": value]) == #"{"v":{"a":"x","b":[1,null,1.1]}}"#)
        let moment = Moment(
            at: Date(timeIntervalSince1970: 0.25),
            data: Data([0]),
            url: URL(string: "https://h/p")
        )
        #expect(
            try text(["m": moment])
                == #"{"m":{"at":"1970-01-01T00:00:00.250Z","data":"AA==","url":"https://h/p"}}"#
        )
    }

    @Test("names the key path of a value without a JSON form")
    func unencodable() {
        let parameters: [(any Sendable, String)] = [
            (
                ["tags": ["a", "b", Opaque()] as [any Sendable]] as [String: any Sendable],
                "user.tags[2]"
            ),
            (Double.nan, "user"), ([Double.infinity], "user[0]"), (Float.nan, "user"),
            (Opaque(), "user"),
            ([Measure(values: [1, .nan])], "user[0].values[1]"), (Decimal.nan, "user"),
            (JSONValue.array([.number(.nan)]), "user[0]"),
            (Date(timeIntervalSince1970: 1e300), "user"), ((1, 2), "user"),
            (["d": Date.distantPast.addingTimeInterval(-1e12)], "user.d"),
        ]
        for (value, keyPath) in parameters {
            do throws(InvalidRequest) {
                _ = try JSONWriter.data(fromParameters: ["user": value])
                Issue.record("\(keyPath) was written")
            } catch {
                guard case .unencodableBody(let found) = error.reason else {
                    Issue.record("\(error.reason)")
                    continue
                }
                #expect(found == keyPath)
            }
        }
    }

    @Test("rejects endless nesting without a stack overflow")
    func depth() {
        var value: Any = 1
        for _ in 0..<10_000 { value = [value] }
        #expect(throws: InvalidRequest.self) { try JSONWriter.data(fromAny: value) }
        var json: JSONValue = 1
        for _ in 0..<10_000 { json = [json] }
        #expect(throws: InvalidRequest.self) { try JSONWriter.data(from: json) }
    }

    @Test("writes a form field's scalars without quotes, and its collections as JSON")
    func fields() throws {
        #expect(try JSONWriter.text(of: "a \"b\"\n/é") == "a \"b\"\n/é")
        #expect(try JSONWriter.text(of: 1.5) == "1.5")
        #expect(try JSONWriter.text(of: true) == "true")
        #expect(try JSONWriter.text(of: Colour.red) == "red")
        #expect(
            try JSONWriter.text(of: ["b": 1, "a": "x"] as [String: Any]) == #"{"a":"x","b":1}"#
        )
        #expect(try JSONWriter.text(of: Optional<Int>.none as Any) == nil)
        #expect(try JSONWriter.text(of: "null") == "null")
        #expect(throws: InvalidRequest.self) { try JSONWriter.text(of: Opaque(), at: "p") }
    }

    @Test("writes the raw values of enums as keys")
    func rawKeys() throws {
        #expect(try text([Size.small: 1]) == #"{"1":1}"#)
        #expect(try text([Colour.red: [Size.small: 2]]) == #"{"red":{"1":2}}"#)
        #expect(try text([Field.name: 3]) == #"{"name":3}"#)
    }

    @Test("writes Foundation's collections")
    func foundationCollections() throws {
        #expect(
            try text(NSDictionary(dictionary: ["b": 1, "a": NSArray(array: [true, "x"])]))
                == #"{"a":[true,"x"],"b":1}"#
        )
        #expect(try text(NSArray(array: [NSNull(), NSDictionary()])) == "[null,{}]")
        #expect(throws: InvalidRequest.self) {
            try text(NSDictionary(dictionary: [NSNumber(value: 1): 1]))
        }
    }

    @Test("nests objects as deep as JSONDecoder, and no deeper")
    func deepObjects() {
        for depth in 510...514 {
            let value = (0..<depth).reduce(1 as Any) { inner, _ in ["a": inner] }
            #expect(((try? text(value)) != nil) == (depth <= 512))
        }
    }

    @Test("nests sets and their elements as deep as arrays, and no deeper")
    func deepSets() throws {
        func nested(_ depth: Int, _ inside: Any) -> Any {
            (0..<depth).reduce(inside) { inner, _ in [inner] }
        }
        for depth in 500...520 {
            let isWritten = (try? text(nested(depth, [[1]]))) != nil
            #expect(isWritten == (depth < 511))
            #expect(((try? text(nested(depth, Set([[1]])))) != nil) == isWritten)
            for inside in [Set([1]), Set<Int>()] as [Any] {
                #expect(((try? text(nested(depth, inside))) != nil) == (depth < 512))
            }
            // What is inside an object in any case has one level less.
            let isNestable = (try? JSONValueWriter.text(of: WrittenJSON(nested(depth, [1])))) != nil
            #expect(isNestable == (depth < 511))
        }
        #expect(try text(Set([[1], [2, 0]])) == "[[1],[2,0]]")
    }
}
