import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Property lists")
struct PropertyListLimitsTests {
    /// A list of lists, which a cycle would have no end of.
    private final class Tree: Decodable, Sendable {
        let children: [Tree]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var children: [Tree] = []
            while !container.isAtEnd { children.append(try container.decode(Tree.self)) }
            self.children = children
        }
    }

    private struct Line: Codable, Equatable {
        let name: String, values: [Double], inner: [String: [Int]]
    }

    private func decoded<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ body: Data
    ) throws -> Value {
        let decoding = ResponseDecoding<Value>.propertyList
        return try decoding.decode(.sample(data: body), JSONDecoder())
    }

    /// A binary list of arrays, each said by the objects that it refers to; the first one is the root.
    private func binary(_ arrays: [[Int]], top: Int = 0) -> Data {
        var body = Data("bplist00".utf8)
        var offsets: [Int] = []
        for references in arrays {
            offsets.append(body.count)
            body +=
                references.count < 15
                ? [0xA0 | UInt8(references.count)] : [0xAF, 0x12] + bigEndian(references.count, 4)
            for reference in references { body += bigEndian(reference, 3) }
        }
        let table = body.count
        for offset in offsets { body += bigEndian(offset, 4) }
        body += [0, 0, 0, 0, 0, 0, 4, 3]
        return body + bigEndian(arrays.count, 8) + bigEndian(top, 8) + bigEndian(table, 8)
    }

    private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func permits(_ text: String) -> Bool {
        Data(text.utf8).withUnsafeBytes(PropertyListLimits.permit)
    }

    @Test("refuses a binary string that its list ends before")
    func cutString() throws {
        struct Named: Decodable, Sendable { let k: String }
        let text =
            "YnBsaXN0MDDRAQJRa28QKHp6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6"
            + "enoICw0AAAAAAAABAQAAAAAAAAADAAAAAAAAAAAAAAAAAAAAOA=="
        let body = try #require(Data(base64Encoded: text))
        #expect(!body.withUnsafeBytes(PropertyListLimits.permit))
        #expect(throws: (any Error).self) { try decoded(Named.self, body) }
    }

    @Test(
        "decodes both formats",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func formats(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let lines = (0..<2_000)
            .map { index in
                Line(
                    name: "line <!-- \(index % 3) &",
                    values: [0.5, 1],
                    inner: ["a": [], "b": [index]]
                )
            }
        #expect(try decoded([Line].self, encoder.encode(lines)) == lines)
    }

    @Test("rejects excessive nesting", arguments: [512, 513, 100_000])
    func depth(depth: Int) throws {
        let open = String(repeating: "<array>", count: depth)
        let hidden = String(repeating: "<array><!-- </array> --><?x </array>?>", count: depth)
        let close = String(repeating: "</array>", count: depth)
        for start in [open, hidden] {
            let xml = Data(
                "<?xml version=\"1.0\"?><plist version=\"1.0\">\(start)\(close)</plist>".utf8
            )
            let isPermitted = xml.withUnsafeBytes(PropertyListLimits.permit)
            #expect(isPermitted == (depth == 512))
            if depth > 512 {
                #expect(throws: DecodingFailure.self) { try decoded(Tree.self, xml) }
            }
        }
        let chain = binary((0..<depth).map { $0 < depth - 1 ? [$0 + 1] : [] })
        #expect(chain.withUnsafeBytes(PropertyListLimits.permit) == (depth <= 513))
        if depth > 513 { #expect(throws: DecodingFailure.self) { try decoded(Tree.self, chain) } }
    }

    @Test(
        "rejects reference cycles and exponential references"
    )
    func references() throws {
        let cycle = binary([[0]])
        let longCycle = binary([[1], [2], [0]])
        let doubling = binary((0..<60).map { $0 < 59 ? [$0 + 1, $0 + 1] : [] })
        let wide = binary([
            Array(repeating: 1, count: 2_000), Array(repeating: 2, count: 2_000), [],
        ])
        for body in [cycle, longCycle, doubling, wide] {
            #expect(throws: DecodingFailure.self) { try decoded(Tree.self, body) }
        }
        let shared = binary([[1, 1, 2], [2], []])
        #expect(try decoded(Tree.self, shared).children.count == 3)
    }

    @Test(
        "rejects formats and charsets whose nesting can't be checked",
        arguments: [
            "(((1)))", "{a=1;}", "", " ", "bplist00",
            "<?xml version=\"1.0\" encoding=\"utf-7\"?><plist><array/></plist>",
        ]
    )
    func otherFormats(text: String) throws {
        #expect(throws: DecodingFailure.self) { try decoded([Int].self, Data(text.utf8)) }
    }

    @Test("survives every one-byte change")
    func corrupted() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let line = Line(name: "é", values: [0.5], inner: ["a": [1, 300]])
        let original = try encoder.encode([line, line])
        for index in original.indices {
            for byte: UInt8 in [
                0x00, 0x01, 0x0F, 0x13, 0x5F, 0x6F, 0x7F, 0x80, 0xA1, 0xAF, 0xD1, 0xFF,
            ] {
                var body = original
                body[index] = byte
                // Either outcome will do: a trap or an endless loop would not.
                _ = try? decoded([Line].self, body)
                _ = try? decoded(Tree.self, body)
            }
        }
    }

    @Test("rejects a reference to an object that isn't there")
    func missingObjects() {
        for (reference, isPermitted) in [
            (0, false), (1, true), (2, false), (3, false), (1 << 20, false),
        ] {
            #expect(
                binary([[reference], []]).withUnsafeBytes(PropertyListLimits.permit) == isPermitted
            )
        }
    }

    @Test("permits shared objects of up to 64 KiB more than 32 times the list's size")
    func sharing() {
        // Each array refers to the one after it, which the last one costs.
        func list(_ first: Int, _ second: Int) -> Data {
            binary([Array(repeating: 1, count: first), Array(repeating: 2, count: second), []])
        }
        func cost(_ first: Int, _ second: Int) -> Int { first * (1 + second) + first * second }
        for second in [600, 700] {
            let sizes = (1...second)
                .map { (first: $0, room: 32 * list($0, second).count + 65_536 - cost($0, second)) }
            guard let limit = sizes.firstIndex(where: { $0.room < 0 }) else {
                Issue.record("never too much")
                return
            }
            #expect(list(sizes[limit - 1].first, second).withUnsafeBytes(PropertyListLimits.permit))
            #expect(!list(sizes[limit].first, second).withUnsafeBytes(PropertyListLimits.permit))
        }
    }

    @Test("counts two bytes for each unit of a UTF-16 string")
    func wideStrings() {
        for (references, isPermitted) in [(30, true), (35, true), (36, false)] {
            var body = Data("bplist00".utf8) + [0xAF, 0x10, UInt8(references)]
            body += Data(repeating: 1, count: references)
            let string = body.count
            body += Data([0x6F, 0x11, 0x27, 0x10]) + Data(repeating: 0x61, count: 20_000)
            let table = body.count
            body += bigEndian(8, 2) + bigEndian(string, 2) + [0, 0, 0, 0, 0, 0, 2, 1]
            body += bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(table, 8)
            #expect(body.withUnsafeBytes(PropertyListLimits.permit) == isPermitted)
        }
    }

    @Test(
        "has no objects at or behind its table",
        arguments: [(10, true), (11, false), (12, false)]
    )
    func offsets(offset: UInt8, isPermitted: Bool) {
        var body = Data("bplist00".utf8) + [0xA1, 1, 0x09]
        let table = body.count
        body += [8, offset, 0, 0, 0, 0, 0, 0, 1, 1]
        body += bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(table, 8)
        #expect(body.withUnsafeBytes(PropertyListLimits.permit) == isPermitted)
    }

    @Test(
        "has no references in its table",
        arguments: [[0xA1], [0xC1], [0xD1], [0xD1, 0]] as [[UInt8]]
    )
    func references(container: [UInt8]) {
        for (isWhole, missing) in [(false, 0), (true, 3 - container.count)] {
            // The table begins with a zero, which would be a reference to the first object.
            var body = Data("bplist00".utf8) + [0x09] + container + Data(count: missing)
            let table = body.count
            body += bigEndian(8, 2) + bigEndian(9, 2) + [0, 0, 0, 0, 0, 0, 2, 1]
            body += bigEndian(2, 8) + bigEndian(1, 8) + bigEndian(table, 8)
            #expect(body.withUnsafeBytes(PropertyListLimits.permit) == isWhole)
            if !isWhole { #expect(throws: DecodingFailure.self) { try decoded([Bool].self, body) } }
        }
    }

    @Test("reads the encoding of XML from its declaration alone")
    func declaration() {
        for (start, isPermitted) in [
            (#"<?xml version="1.0" encoding="utf-7"?>"#, false),
            (#"<?xml version="1.0" ENCODING='UTF-8'?>"#, true),
            (#"<?xml version="1.0"?><!-- encoding="utf-7" -->"#, true),
        ] {
            #expect(permits(start + "<plist><array/></plist>") == isPermitted)
        }
    }

    @Test("permits white space and a mark before XML, and no other text")
    func beginnings() {
        let list = "<plist><array></array></plist>"
        let starts = [
            ("", true), (" ", true), ("\n\t ", true), ("  ", true), ("\u{FEFF}", true),
            ("\u{FEFF} ", true), ("x", false), (" x", false), ("{", false),
        ]
        for (start, isPermitted) in starts {
            let text = Data((start + list).utf8)
            #expect(text.withUnsafeBytes(PropertyListLimits.permit) == isPermitted)
        }
        #expect(!Data(" ".utf8).withUnsafeBytes(PropertyListLimits.permit))
    }

    @Test("begins at the object that the trailer names")
    func top() {
        for (top, isPermitted) in [(0, true), (1, true), (2, false), (3, false)] {
            let list = binary([[], [0], [2]], top: top)
            #expect(list.withUnsafeBytes(PropertyListLimits.permit) == isPermitted)
        }
    }

    @Test("reads lengths of one to eight bytes", arguments: 0...5)
    func lengths(power: Int) {
        let length = bigEndian(1, 1 << power)
        for marker: UInt8 in [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF] {
            var body = Data("bplist00".utf8)
            body += [marker, 0x10 | UInt8(power)] + length + [1, 1, 1]
            let second = body.count
            body += [0x09]
            let table = body.count
            body += [8, UInt8(second), 0, 0, 0, 0, 0, 0, 1, 1]
            body += bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(table, 8)
            #expect(body.withUnsafeBytes(PropertyListLimits.permit) == (power <= 3))
        }
    }

    @Test("knows the types of objects, and refuses others")
    func types() {
        let scalars: Set<UInt8> = [
            0x00, 0x08, 0x09, 0x10, 0x11, 0x12, 0x13, 0x14, 0x22, 0x23, 0x33,
        ]
        for marker in UInt8.min ... .max {
            let length = Int(marker & 0x0F)
            var body = Data("bplist00".utf8)
            body += [0xA1, 1, marker]
            // Enough for the longest contents, which all begin with a reference to 1.
            body += [UInt8](repeating: 1, count: 32)
            let table = body.count
            body += [8, 10, 0, 0, 0, 0, 0, 0, 1, 1]
            body += bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(table, 8)
            let isKnown =
                switch marker >> 4 {
                case 0x4, 0x5, 0x6: length < 0x0F
                case 0x8: true
                // An object in itself is endless.
                case 0xA, 0xC, 0xD: length == 0
                default: scalars.contains(marker)
                }
            #expect(body.withUnsafeBytes(PropertyListLimits.permit) == isKnown, "\(marker)")
        }
    }

    @Test("refuses XML that isn't UTF-8", arguments: ["integer", "real", "string", "date", "data"])
    func invalidXML(tag: String) throws {
        // Foundation ended the process for an integer, or threw an error of its own for a string.
        for byte: UInt8 in [0x80, 0xC2, 0xF8, 0xFF] {
            for start in ["", "1&amp;"] {
                var body = Data("<plist><\(tag)>\(start)".utf8)
                body += [UInt8](repeating: byte, count: 12)
                body += Data("1</\(tag)></plist>".utf8)
                #expect(throws: DecodingFailure.self) { try decoded(String.self, body) }
                #expect(throws: DecodingFailure.self) { try decoded(Int.self, body) }
            }
        }
    }

    @Test("fails as a decoding failure for an object that Foundation doesn't know")
    func unknownObject() {
        var body = Data("bplist00".utf8)
        body += [0xD1, 1, 2, 0x51, UInt8(ascii: "k"), 0x01]
        let table = body.count
        body += [8, 11, 13, 0, 0, 0, 0, 0, 0, 1, 1]
        body += bigEndian(3, 8) + bigEndian(0, 8) + bigEndian(table, 8)
        #expect(throws: DecodingFailure.self) { try decoded([String: Int].self, body) }
    }

    @Test("counts nested dictionaries too, and not what is closed or empty")
    func dictionaries() {
        func nested(_ start: String, _ end: String, _ depth: Int) -> String {
            "<plist>" + String(repeating: start, count: depth)
                + String(repeating: end, count: depth) + "</plist>"
        }
        for (start, end) in [
            ("<dict>", "</dict>"), ("<dict><key>a</key>", "</dict>"), ("<array>", "</array>"),
            ("<dict a='b'>", "</dict>"), ("<array\n>", "</array>"),
        ] {
            #expect(permits(nested(start, end, 512)))
            #expect(permits("</array></dict>" + nested(start, end, 512) + nested(start, end, 512)))
            #expect(!permits(nested(start, end, 513)))
        }
        for flat in [
            "<dict></dict>", "<array></array>", "<dict/>", "<array/>", "<dict />", "<array\t/>",
        ] {
            #expect(permits(nested(flat, "", 600)))
            #expect(!permits(nested(flat + "<array>", "", 513)))
        }
    }

    @Test("ends where a comment or section doesn't", arguments: ["!--", "![CDATA[", "?"])
    func unterminated(start: String) {
        for end in ["", "-", "--", "]", "]]", "a", "<array>"] {
            #expect(permits("<plist><\(start)\(end)"))
        }
        #expect(permits("<plist><!--a--><![CDATA[a]]><?a?></plist>"))
        let hidden = String(repeating: "<array>", count: 600)
        #expect(permits("<plist><!--\(hidden)--><![CDATA[\(hidden)]]><?\(hidden)?></plist>"))
        for end in ["-->", "]]>", "?>"] {
            #expect(!permits("<plist><!----><![CDATA[]]><??>\(end)\(hidden)"))
        }
    }
}
