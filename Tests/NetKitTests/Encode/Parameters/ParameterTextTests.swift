import Foundation
import Testing

@testable import NetKit

@Suite("Parameter text")
struct ParameterTextTests {
    private enum Colour: String { case red = "r" }
    private enum Size: Int { case large = 3 }
    private struct Named: CustomStringConvertible { let description = "named" }
    private struct Opaque {}

    private func text(_ value: Any) throws -> String? {
        try ParameterText.text(of: value, named: "p")
    }

    private func fields(_ value: Any, _ encoding: URLEncoding = URLEncoding()) throws -> String {
        try ParameterText.fields(of: value, named: "k", encoding: encoding)
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    @Test("writes every supported parameter type")
    func scalars() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let texts: [(Any, String)] = [
            ("a b", "a b"), (NSString("n"), "n"), (AnyHashable("h"), "h"),
            ("abc".dropFirst(), "bc"), (Character("c"), "c"), (1, "1"),
            (Int64.max, "9223372036854775807"), (UInt64.max, "18446744073709551615"),
            (Int8.min, "-128"),
            (0.1, "0.1"), (Float(1.5), "1.5"), (1.0, "1"), (true, "true"), (false, "false"),
            (Decimal(string: "12345678901234567890.5") as Any, "12345678901234567890.5"),
            (Date(timeIntervalSince1970: 1.25), "1970-01-01T00:00:01.250Z"),
            (id, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), (Data([1, 2, 255]), "AQL/"),
            (URL(string: "http://h/?q=1") as Any, "http://h/?q=1"), (Colour.red, "r"),
            (Size.large, "3"), (Named(), "named"), (Optional("o") as Any, "o"),
            (Optional(Optional(2)) as Any, "2"),
            (JSONValue.string("a b"), "a b"), (JSONValue.number(0.5), "0.5"),
            (JSONValue.bool(true), "true"), (MimeType.binary, "application/octet-stream"),
        ]
        for (value, expected) in texts { #expect(try text(value) == expected) }
    }

    @Test("omits nil at any depth")
    func nils() throws {
        #expect(try text(Int?.none as Any) == nil)
        #expect(try text(Int??.some(nil) as Any) == nil)
        #expect(try text(JSONValue.null) == nil)
        #expect(try fields([Int]?.none as Any).isEmpty)
    }

    @Test("rejects a value without a text form")
    func refusals() {
        let values: [Any] = [
            Double.nan, Float.infinity, Decimal.nan, Opaque(), [1], ["a": 1], 1...3, Set([1]),
            JSONValue.array(["a"]), JSONValue.object([:]),
        ]
        for value in values {
            let error = #expect(throws: InvalidRequest.self) { try text(value) }
            #expect(error?.reason == .unencodableParameter("p"))
        }
        #expect(throws: InvalidRequest.self) { try fields(["a": 1]) }
        #expect(throws: InvalidRequest.self) { try fields(0...Int.max) }
        #expect(throws: InvalidRequest.self) { try fields([[1]]) }
    }

    @Test(
        "writes arrays in the chosen style",
        arguments: [
            (URLEncoding.Arrays.brackets, "k[]=a&k[]=b c"), (.repeated, "k=a&k=b c"),
            (.indexed, "k[0]=a&k[1]=b c"), (.comma, "k=a,b c"),
        ]
    )
    func arrays(arrays: URLEncoding.Arrays, expected: String) throws {
        let encoding = URLEncoding(arrays: arrays)
        #expect(try fields(["a", nil, "b c"], encoding) == expected)
        #expect(try fields(["x", "a", "b c"].dropFirst(), encoding) == expected)
        #expect(try fields([String](), encoding).isEmpty)
    }

    @Test("writes Booleans in the chosen style, arrays included, and sorts sets")
    func booleansAndSets() throws {
        #expect(try fields([true, false], URLEncoding(arrays: .comma)) == "k=true,false")
        let numeric = URLEncoding(arrays: .comma, booleans: .numeric)
        #expect(try fields([true, false], numeric) == "k=1,0")
        #expect(try fields(true, numeric) == "k=1")
        #expect(try fields(1, numeric) == "k=1")
        let letters = "abcdefghijklmnop".map(String.init)
        let sorted = letters.joined(separator: ",")
        #expect(try fields(Set(letters), URLEncoding(arrays: .comma)) == "k=\(sorted)")
        #expect(try fields([Colour.red], URLEncoding()) == "k[]=r")
    }

    @Test(
        "rounds a date to whole milliseconds since 1970",
        arguments: [
            (1_709_209_800.25, "1709209800250"), (1_709_209_800.1234, "1709209800123"),
            (1_709_209_800.1236, "1709209800124"), (0, "0"), (-1.5, "-1500"),
        ] as [(Double, String)]
    )
    func milliseconds(seconds: Double, expected: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try fields(date, URLEncoding(dates: .millisecondsSince1970)) == "k=\(expected)")
    }

    @Test("writes a relative URL as it resolves")
    func relativeURL() throws {
        let url = try #require(URL(string: "b?c=1", relativeTo: URL(string: "http://h.test/a/")))
        #expect(
            try ParameterText.text(of: url, named: "u", encoding: URLEncoding())
                == "http://h.test/a/b?c=1"
        )
    }
}
