import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Response converters")
struct ResponseConverterTests {
    private func json(_ text: String) throws -> Any { try JSONText.any(of: Data(text.utf8)) }

    @Test(
        "finds objects, elements, scalars and null by key path",
        arguments: [
            ("a/b", "[1]"), ("a/b/0", "1"), ("n", "null"),
            ("", #"{"a":{"b":[1]},"n":null,"t":true}"#),
            ("t", "true"),
        ]
    )
    func keyPath(path: String, expected: String) throws {
        let text = #"{"a":{"b":[1]},"n":null,"t":true}"#
        let converter = KeyPathResponseConverter(path: path)
        let parsed = try converter.convertedJSON(from: json(text))
        #expect(try JSONWriter.data(fromAny: parsed) == Data(expected.utf8))
        #expect(try JSONText.slice(of: Data(text.utf8), at: converter.path) == Data(expected.utf8))
        let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let other = try converter.convertedJSON(from: foundation)
        #expect(try JSONWriter.data(fromAny: other) == Data(expected.utf8))
    }

    @Test(
        "reports a missing node the same for parsed and raw JSON",
        arguments: ["x", "a/x", "a/b/1", "a/b/x", "a/b/0/c", "n/x", "t/0", "s/0"]
    )
    func missing(path: String) throws {
        let text = #"{"a":{"b":[1]},"n":null,"t":true,"s":"x"}"#
        let converter = KeyPathResponseConverter(path: path)
        let parsed = #expect(throws: ConversionFailure.self) {
            try converter.convertedJSON(from: json(text))
        }
        let sliced = #expect(throws: ConversionFailure.self) {
            try JSONText.slice(of: Data(text.utf8), at: converter.path)
        }
        #expect(parsed == sliced)
        #expect(parsed?.description.contains(JSONPath(path).description) == true)
    }

    @Test("describes its failure on one line")
    func descriptions() {
        let failure = ConversionFailure(
            .missingNode(keyPath: "data.items", stoppedAt: "data", found: "an array")
        )
        #expect("\(failure)" == "there is nothing at data.items: data is an array")
        #expect(
            "\(ConversionFailure(.resultIsNotJSON(keyPath: "a[0]")))"
                == "the converter's result is not JSON at a[0]"
        )
    }

    @Test("keeps every number of a node exact")
    func exactNumbers() throws {
        struct Numbers: Decodable, Equatable, Sendable {
            let max: Int64, top: UInt64, decimal: Decimal, tenth: Decimal, double: Double,
                flag: Bool
        }
        let text = """
            {"data":{"max":9223372036854775807,"top":18446744073709551615,"flag":true,"tenth":0.1,\
            "decimal":12345678901234567890.123456789012345678,"double":0.30000000000000004}}
            """
        let expected = Numbers(
            max: .max,
            top: .max,
            decimal: try #require(Decimal(string: "12345678901234567890.123456789012345678")),
            tenth: try #require(Decimal(string: "0.1")),
            double: 0.30000000000000004,
            flag: true
        )
        let converters: [any ResponseJSONConverter] = [
            KeyPathResponseConverter(path: "data"),
            ClosureResponseConverter { ($0 as? [String: Any])?["data"] as Any },
            ClosureResponseConverter { json in
                var data = (json as? [String: Any])?["data"] as? [String: Any]
                data?["added"] = ["a": 1, "at": Date()] as [String: Any]
                return data as Any
            },
        ]
        for converter in converters {
            let request = SampleRequest(Numbers.self, converter: converter)
            #expect(try request.interpreted(.sample(text)).get() == expected)
        }
    }

    @Test("can return any value that has a JSON form")
    func swiftResults() throws {
        let converter = ClosureResponseConverter { _ in ["id": UInt8(3)] }
        let request = SampleRequest(SampleUser.self, converter: converter)
        #expect(try request.interpreted(.sample("[]")).get() == SampleUser(id: 3))
        let own = ClosureResponseConverter { _ in [SampleUser(id: 4)] }
        #expect(
            try SampleRequest([SampleUser].self, converter: own).interpreted(.sample("[]")).get()
                == [SampleUser(id: 4)]
        )
        let none = ClosureResponseConverter { _ in Optional<Int>.none as Any }
        #expect(
            try SampleRequest(Int?.self, converter: none).interpreted(.sample("1")).get() == nil
        )
    }

    @Test("fails with the key path of any other value, and never traps")
    func notJSON() throws {
        let results: [(@Sendable () -> Any, String)] = [
            ({ Double.nan }, ""), ({ ["a": [Double.infinity]] }, "a[0]"), ({ NSObject() }, ""),
            ({ [1, { () -> Void in }] as [Any] }, "[1]"), ({ Int.self }, ""), ({ (1, 2) }, ""),
            ({ ["x": NSArray(array: [NSObject()])] }, "x[0]"),
            ({ NSDictionary(dictionary: [NSNull(): 1]) }, ""),
        ]
        for (result, keyPath) in results {
            let converter = ClosureResponseConverter { _ in result() }
            let outcome = SampleRequest(SampleUser.self, converter: converter)
                .interpreted(try .sample("{}"))
            guard case .failure(.decoding(_, let underlying)) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(
                (underlying as? ConversionFailure)?.reason == .resultIsNotJSON(keyPath: keyPath)
            )
        }
    }
}
