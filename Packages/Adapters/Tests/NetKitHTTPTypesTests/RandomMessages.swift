import HTTPTypes
import NetKit

/// Numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension SeededGenerator {
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func text(of letters: String, upTo length: Int, from least: Int = 0) -> String {
        let letters = Array(letters)
        return String((0..<Int.random(in: least...length, using: &self)).map { _ in pick(letters) })
    }

    /// Fields with names that come back in several spellings.
    mutating func fields() -> [(name: String, value: String)] {
        let names = ["Accept", "accept", "Set-Cookie", "X-A", "x-a", "ETag", "Authorization"]
        return (0..<Int.random(in: 0...12, using: &self))
            .map { _ in
                let name =
                    Bool.random(using: &self)
                    ? pick(names) : text(of: "abYZ09!#$%&'*+-.^_`|~", upTo: 8, from: 1)
                let inner = text(of: "a ,;\t\"é漢=😀", upTo: 10)
                // Blanks at the ends are no part of a value.
                let value = inner.isEmpty ? "" : "<\(inner)>"
                return (name, value)
            }
    }

    /// A path with a query, as it stands on the wire.
    mutating func path() -> String {
        let path = "/" + text(of: "abc/.-_~;:@!$&'()*+,=", upTo: 12)
        return Bool.random(using: &self)
            ? path : path + "?" + text(of: "abc=&+/?;:@!$'()*,", upTo: 12)
    }
}

extension HTTPHeaders {
    init(fields: [(name: String, value: String)]) {
        self.init()
        for field in fields { append(field.value, for: HTTPHeaderName(field.name)) }
    }

    /// Every field, in order and spelling.
    var pairs: [String] { map { "\($0.name.rawName): \($0.value)" } }
}

extension HTTPFields {
    /// Every field, in order and spelling.
    var pairs: [String] { map { "\($0.name.rawName): \($0.value)" } }
}
