import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Traced decoding")
struct TracedContainersTests {
    private enum Key: String, CodingKey { case a, b, c }

    /// Every type that a keyed container decodes with a method of its own.
    private struct Members: Decodable {
        let bool: Bool, string: String, double: Double, float: Float
        let int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
        let uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    }

    /// The same types, in the same order, as elements.
    private struct Elements: Decodable {
        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            #expect(row.count == 14)
            _ = try (row.decode(Bool.self), row.decode(String.self))
            _ = try (row.decode(Double.self), row.decode(Float.self))
            _ = try (row.decode(Int.self), row.decode(Int8.self), row.decode(Int16.self))
            _ = try (row.decode(Int32.self), row.decode(Int64.self))
            _ = try (row.decode(UInt.self), row.decode(UInt8.self), row.decode(UInt16.self))
            _ = try (row.decode(UInt32.self), row.decode(UInt64.self))
            #expect(row.isAtEnd && row.currentIndex == 14)
        }
    }

    /// Containers and decoders inside containers: each number of a body has a path of its own.
    private struct Nested: Decodable {
        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Key.self)
            let member = try outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            _ = try member.decode(Int.self, forKey: .b)
            _ = try member.superDecoder(forKey: .c).singleValueContainer().decode(Int.self)
            var row = try outer.nestedUnkeyedContainer(forKey: .b)
            _ = try row.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .a)
            var inner = try row.nestedUnkeyedContainer()
            _ = try inner.decode(Int.self)
            _ = try row.superDecoder().singleValueContainer().decode(Int.self)
            let parent = try outer.superDecoder().container(keyedBy: Key.self)
            _ = try parent.decode(Int.self, forKey: .a)
        }
    }

    private struct Optionals: Decodable {
        let a: Int8?, b: [Int8?], c: [String: Int8]?
    }

    private static let names = [
        "bool", "string", "double", "float", "int", "int8", "int16", "int32", "int64", "uint",
        "uint8", "uint16",
        "uint32", "uint64",
    ]
    private static let types = [
        "Bool", "String", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "UInt",
        "UInt8", "UInt16",
        "UInt32", "UInt64",
    ]
    private static let values = ["true", "\"s\"", "0.5", "0.5"] + Array(repeating: "1", count: 10)

    /// The place and type of the failure, such as `a[1]: Int8`, or nil if the body decodes.
    private func failure(of type: any Decodable.Type, in body: String) -> String? {
        DecodingTrace.failure(decoding: type, from: Data(body.utf8), using: JSONDecoder())
            .map { "\(JSONPath($0.path)): \($0.type)" }
    }

    @Test("records the member that fails, whatever its type", arguments: names.indices)
    func members(failing: Int) {
        func body(_ values: [String]) -> String {
            "{" + zip(Self.names, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
        }
        var values = Self.values
        #expect(failure(of: Members.self, in: body(values)) == nil)
        values[failing] = "{}"
        #expect(
            failure(of: Members.self, in: body(values))
                == "\(Self.names[failing]): \(Self.types[failing])"
        )
    }

    @Test("records the element that fails, whatever its type", arguments: types.indices)
    func elements(failing: Int) {
        var values = Self.values
        #expect(failure(of: Elements.self, in: "[\(values.joined(separator: ","))]") == nil)
        values[failing] = "{}"
        #expect(
            failure(of: Elements.self, in: "[\(values.joined(separator: ","))]")
                == "[\(failing)]: \(Self.types[failing])"
        )
    }

    @Test("records a single value that fails, whatever its type")
    func singleValues() {
        let types: [any Decodable.Type] = [
            [Bool].self, [String].self, [Double].self, [Float].self, [Int].self, [Int8].self,
            [Int16].self,
            [Int32].self, [Int64].self, [UInt].self, [UInt8].self, [UInt16].self, [UInt32].self,
            [UInt64].self,
        ]
        for (type, (element, value)) in zip(types, zip(Self.types, Self.values)) {
            #expect(failure(of: type, in: "[\(value),\(value)]") == nil)
            #expect(failure(of: type, in: "[\(value),{}]") == "[1]: \(element)")
        }
    }

    @Test(
        "records the path through nested containers and super decoders",
        arguments: [
            ("1", "1", "1", "1", "1", "1", nil), ("x", "1", "1", "1", "1", "1", "a.b: Int"),
            ("1", "x", "1", "1", "1", "1", "a.c: Int"),
            ("1", "1", "x", "1", "1", "1", "b[0].a: Int"),
            ("1", "1", "1", "x", "1", "1", "b[1][0]: Int"),
            ("1", "1", "1", "1", "x", "1", "b[2]: Int"),
            ("1", "1", "1", "1", "1", "x", "super.a: Int"),
        ]
    )
    func nesting(
        member: String,
        parent: String,
        object: String,
        row: String,
        element: String,
        root: String,
        place: String?
    ) {
        let body = """
            {"a":{"b":\(member),"c":\(parent)},"b":[{"a":\(object)},[\(row)],\(element)],"super":{"a":\(root)}}
            """
        #expect(failure(of: Nested.self, in: body.replacing("x", with: "[]")) == place)
    }

    @Test(
        "tells null, a missing member and the keys of a dictionary apart",
        arguments: [
            (#"{"b":[]}"#, nil), (#"{"a":null,"b":[null,1],"c":null}"#, nil),
            (#"{"b":[],"c":{"x":1,"y":2}}"#, nil),
            (#"{"a":300,"b":[]}"#, "a: Int8"), (#"{"b":[null,300]}"#, "b[1]: Int8"),
            (#"{"b":[],"c":{"x":1,"y":300}}"#, "c.y: Int8"),
        ]
    )
    func optionals(body: String, place: String?) {
        #expect(failure(of: Optionals.self, in: body) == place)
    }
}
