import Foundation
import Testing

@testable import NetKit

@Suite("JSON body parameters")
struct ParameterValueTests {
    private enum Color: String, ParameterValue { case red }
    private struct Point: Encodable, ParameterValue { var x = 1, y: Int? }

    private func text(_ body: RequestBody) throws -> String {
        let encoded = try BodyEncoder.encode(body)
        return String(decoding: try encoded.source.bytes(), as: UTF8.self)
    }

    @Test("mixes types in nested literals without a cast")
    func nested() throws {
        let (name, city, zip, nickname) = ("Ada", "Zürich", 8004, String?.none)
        #expect(
            try text(
                .params([
                    "name": name, "nickname": nickname,
                    "address": ["city": city, "zip": zip, "tags": ["home", true, 1.5]],
                    "points": [["x": 1, "label": "a"], ["x": 2.5]],
                    "deep": ["a": ["b": ["c": [1, "2", ["d": Date(timeIntervalSince1970: 0)]]]]],
                ])
            ) == #"{"address":{"city":"Zürich","tags":["home",true,1.5],"zip":8004},"#
                + #""deep":{"a":{"b":{"c":[1,"2",{"d":"1970-01-01T00:00:00Z"}]}}},"#
                + #""name":"Ada","nickname":null,"points":[{"label":"a","x":1},{"x":2.5}]}"#
        )
    }

    @Test("mixes types in nested literals of an async function")
    func nestedInAsync() async throws {
        func body(_ name: String) async -> RequestBody {
            .params(["name": name, "tags": ["home", true], "address": ["zip": 8004, "city": "x"]])
        }
        #expect(
            try await text(body("Ada"))
                == #"{"address":{"city":"x","zip":8004},"name":"Ada","tags":["home",true]}"#
        )
    }

    @Test("accepts all types with a JSON form, exactly")
    func types() throws {
        let url = try #require(URL(string: "https://h/x"))
        let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
        let decimal = try #require(Decimal(string: "0.1234567890123456789"))
        let body: RequestBody = .params([
            "mixed": ["a": Int8(-1), "b": UInt64.max, "c": "x"], "color": Color.red,
            "point": Point(), "url": url, "uuid": uuid, "data": Data([1]), "decimal": decimal,
            "substring": "abc".dropFirst(), "float": Float(0.1), "flag": false, "one": 1,
            "json": ["a": [nil, 1]] as JSONValue, "set": Set([1]), "int": Int64.max,
        ])
        #expect(
            try text(body)
                == #"{"color":"red","data":"AQ==","decimal":0.1234567890123456789,"flag":false,"#
                + #""float":0.1,"int":9223372036854775807,"json":{"a":[null,1]},"#
                + #""mixed":{"a":-1,"b":18446744073709551615,"c":"x"},"one":1,"point":{"x":1},"#
                + #""set":[1],"substring":"bc","url":"https://h/x","#
                + #""uuid":"00000000-0000-0000-0000-000000000001"}"#
        )
    }

    @Test("keeps its scalars readable")
    func scalars() {
        guard case .params(let members) = RequestBody.params(["a": 1, "b": "x", "c": true]) else {
            Issue.record("another body")
            return
        }
        #expect(members["a"] as? Int == 1 && members["b"] as? String == "x")
        #expect(members["c"] as? Bool == true)
    }

    @Test("names the key path and type of a value without a JSON form")
    func unencodable() throws {
        struct Opaque {}
        let body: RequestBody = .params(["a": ["b": [1, "x", Opaque()]], "c": 1])
        let error = #expect(throws: InvalidRequest.self) { try BodyEncoder.encode(body) }
        #expect(error?.reason == .unencodableBody("a.b[2]"))
        #expect(error?.bodyProblem?.typeWithoutForm == "Opaque")
    }

    /// The one rule: null where the format has one, left out where it has none.
    @Test("writes nil as null in JSON, and omits it everywhere else")
    func rule() throws {
        struct Everywhere: Request {
            typealias ResponseObjectType = Data
            let path = "x", method = HTTPMethod.post
            var queryParams: [(String, String)] {
                .init([
                    "a": nil, "b": Int?.none, "c": 1, "d": [Int?.none, 2], "e": ["f": Int?.none],
                ])
            }
            @Query("g") var g: Int? = nil
            @Query("h") var h: [Int?] = [nil, 3]
            @Header("X-I") var i: String? = nil
            var body: RequestBody? {
                .params(["a": Int?.none, "b": ["c": Int?.none as Any, "d": [nil, 1] as [Int?]]])
            }
        }
        let encoded = try SampleEndpoint().encode(Everywhere())
        #expect(encoded.url.query?.removingPercentEncoding == "c=1&d[]=2&h[]=3")
        #expect(encoded.headers["X-I"] == nil)
        #expect(try encoded.bodyText() == #"{"a":null,"b":{"c":null,"d":[null,1]}}"#)
        #expect(try text(.json(["a": nil, "b": [nil]])) == #"{"a":null,"b":[null]}"#)

        // A type that encodes itself says so itself: what the compiler writes leaves nil out.
        #expect(try text(.encodable(Point())) == #"{"x":1}"#)
        #expect(try text(.encodable([Int?.none, 1])) == "[null,1]")

        struct Form: Request {
            typealias ResponseObjectType = Data
            let path = "x", method = HTTPMethod.post
            @Object(encoding: .form()) var fields: [String: Int?] = ["a": nil, "b": 1]
        }
        #expect(try SampleEndpoint().encode(Form()).bodyText() == "b=1")

        let parts = DefaultMultipartFormDataRequest<Data, ServerMessage>(
            path: "x",
            body: .params(["a": Int?.none, "b": 1, "c": JSONValue.null])
        )
        let multipart = try SampleEndpoint().encode(parts).bodyText()
        #expect(multipart.contains("name=\"b\"") && !multipart.contains("name=\"a\""))
        #expect(!multipart.contains("name=\"c\""))
    }
}
