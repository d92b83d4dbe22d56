import Foundation
import Testing

@testable import NetKit

/// Holds NetKit's forms against serializer and parser as the WHATWG URL standard words them, in its
/// sections 1.3 (percent-encoding) and 5 (`application/x-www-form-urlencoded`).
@Suite("Form serializer")
struct FormSerializerTests {
    private func written(_ fields: [(String, String)]) throws -> [UInt8] {
        try BodyEncoder.encode(.form(fields)).source.bytes(atATime: 4_096)
    }

    @Test("encodes every code point up to U+00FF by the standard's table")
    func table() throws {
        for value in UInt8.min...UInt8.max { try check(String(Unicode.Scalar(value))) }
    }

    @Test("encodes awkward strings like the standard", arguments: AwkwardText.all)
    func texts(text: String) throws {
        try check(text)
    }

    @Test("encodes scalars from all planes like the standard")
    func scalars() throws {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 997) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            try check(String(scalar))
        }
    }

    @Test("encodes fields in order, with empty names and values")
    func order() throws {
        let fields = [("b", "1"), ("a", ""), ("", "2"), ("", ""), ("b", "1"), ("a b", "c&d")]
        #expect(try written(fields) == Standard.serialized(fields))
        #expect(try written(fields) == Array("b=1&a=&=2&=&b=1&a+b=c%26d".utf8))
        #expect(try written([]).isEmpty)
        try checkRoundTrip(fields)
    }

    private func check(_ text: String) throws {
        let fields = [(text, text), ("x", text)]
        #expect(try written(fields) == Standard.serialized(fields))
        try checkRoundTrip(fields)
    }

    private func checkRoundTrip(_ fields: [(String, String)]) throws {
        let read = Standard.parsed(try written(fields))
        #expect(
            read.map { [$0.name, $0.value] } == fields.map { [Array($0.0.utf8), Array($0.1.utf8)] }
        )
    }
}

/// The standard's algorithms, step by step.
private enum Standard {
    /// The application/x-www-form-urlencoded percent-encode set is the component percent-encode set
    /// and U+0021 (!), U+0027 (') to U+0029 inclusive, and U+007E (~).
    ///
    /// Said the other way round in a note there: it contains all code points, except the ASCII
    /// alphanumeric, U+002A (*), U+002D (-), U+002E (.), and U+005F (_).
    private static let table: [Bool] = (0...0xFF)
        .map { byte in
            let c0Control = byte <= 0x1F || byte > 0x7E
            let query = c0Control || [0x20, 0x22, 0x23, 0x3C, 0x3E].contains(byte)
            let path = query || [0x3F, 0x5E, 0x60, 0x7B, 0x7D].contains(byte)
            let userinfo =
                path || [0x2F, 0x3A, 0x3B, 0x3D, 0x40, 0x5B, 0x5C, 0x5D, 0x7C].contains(byte)
            let component = userinfo || (0x24...0x26).contains(byte) || [0x2B, 0x2C].contains(byte)
            return component || byte == 0x21 || (0x27...0x29).contains(byte) || byte == 0x7E
        }

    /// Section 5.2, with UTF-8.
    static func serialized(_ tuples: [(String, String)]) -> [UInt8] {
        var output: [UInt8] = []
        for (name, value) in tuples {
            if !output.isEmpty { output.append(0x26) }
            output += encoded(name)
            output.append(0x3D)
            output += encoded(value)
        }
        return output
    }

    /// "Percent-encode after encoding", with spaceAsPlus.
    private static func encoded(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte == 0x20 {
                output.append(0x2B)
            } else if byte == 0x25 || table[Int(byte)] {
                output += String(format: "%%%02X", Int(byte)).utf8
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Section 5.1.
    static func parsed(_ input: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
        var output: [(name: [UInt8], value: [UInt8])] = []
        for bytes in input.split(separator: 0x26) where !bytes.isEmpty {
            var (name, value) = (Array(bytes), [UInt8]())
            if let equals = bytes.firstIndex(of: 0x3D) {
                name = Array(bytes[..<equals])
                value = Array(bytes[(equals + 1)...])
            }
            output.append((decoded(name), decoded(value)))
        }
        return output
    }

    /// Replaces plus by space, then does "percent-decode" of section 1.3.
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        let input = text.map { $0 == 0x2B ? 0x20 : $0 }
        var output: [UInt8] = []
        var index = 0
        while index < input.count {
            let digits = input[min(index + 1, input.count)..<min(index + 3, input.count)]
            if input[index] == 0x25, digits.count == 2, digits.allSatisfy(isHexDigit),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                output.append(byte)
                index += 3
            } else {
                output.append(input[index])
                index += 1
            }
        }
        return output
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
