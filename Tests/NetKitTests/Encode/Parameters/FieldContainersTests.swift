import Foundation
import Testing

@testable import NetKit

@Suite("Field containers")
struct FieldContainersTests {
    private enum Key: String, CodingKey { case a, b, c }

    /// An object that encodes itself by a closure.
    private struct Value: Encodable {
        let encoding: (any Encoder) throws -> Void

        init(_ encoding: @escaping (any Encoder) throws -> Void) {
            self.encoding = encoding
        }

        func encode(to encoder: any Encoder) throws {
            try encoding(encoder)
        }
    }

    private func text(_ encoding: @escaping (any Encoder) throws -> Void) throws -> String {
        try FlatFields.fields(of: Value(encoding), encoder: JSONEncoder(), encoding: URLEncoding())
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    @Test("nests objects and arrays in objects")
    func members() throws {
        let text = try text { encoder in
            var members = encoder.container(keyedBy: Key.self)
            var object = members.nestedContainer(keyedBy: Key.self, forKey: .a)
            try object.encode(1, forKey: .b)
            try 2.encode(to: members.superEncoder(forKey: .b))
            try ["x": 3].encode(to: members.superEncoder())
            var array = members.nestedUnkeyedContainer(forKey: .c)
            try array.encode("y")
        }
        #expect(text == "a[b]=1&b=2&super[x]=3&c[]=y")
    }

    @Test("nests objects and arrays in arrays")
    func elements() throws {
        let text = try text { encoder in
            var members = encoder.container(keyedBy: Key.self)
            var array = members.nestedUnkeyedContainer(forKey: .a)
            var object = array.nestedContainer(keyedBy: Key.self)
            try object.encode(1, forKey: .b)
            var inner = array.nestedUnkeyedContainer()
            try inner.encode(2)
            try inner.encode(3)
            try ["x": 4].encode(to: array.superEncoder())
        }
        #expect(text == "a[0][b]=1&a[1][]=2&a[1][]=3&a[2][x]=4")
    }

    @Test("counts elements, and knows the coding path of each container")
    func positions() throws {
        func path(_ path: [any CodingKey]) -> String {
            path.map(\.stringValue).joined(separator: "/")
        }
        _ = try text { encoder in
            #expect(path(encoder.codingPath) == "")
            var members = encoder.container(keyedBy: Key.self)
            #expect(path(members.codingPath) == "")
            var array = members.nestedUnkeyedContainer(forKey: .a)
            #expect(array.count == 0)
            try array.encode(1)
            try array.encodeNil()
            #expect(array.count == 2)
            #expect(path(array.codingPath) == "a")
            let object = array.nestedContainer(keyedBy: Key.self)
            #expect(path(object.codingPath) == "a/Index 2")
            try array.encode(
                Value { #expect(path($0.singleValueContainer().codingPath) == "a/Index 3") }
            )
        }
    }

    @Test("omits nil, even after a value")
    func omitting() throws {
        let text = try text { encoder in
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(1, forKey: .a)
            try members.encodeNil(forKey: .a)
            try members.encode(
                Value { encoder in
                    var value = encoder.singleValueContainer()
                    try value.encode(2)
                    try value.encodeNil()
                },
                forKey: .b
            )
            try members.encode(3, forKey: .c)
        }
        #expect(text == "c=3")
    }
}
