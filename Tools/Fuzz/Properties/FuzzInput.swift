import Foundation

/// The bytes of one run.
package struct FuzzInput: Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The bytes as text, as a header field is read.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var data: Data { Data(bytes) }

    /// The first line and what follows it, for parsers that take two values.
    var lines: (first: String, rest: [UInt8]) {
        let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return (String(decoding: first, as: UTF8.self), Array(bytes.dropFirst(first.count + 1)))
    }

    /// The bytes in pieces as a connection may bring them; their lengths come from the bytes themselves.
    func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        // Long inputs come in long pieces: what is measured with them is not the number of pieces.
        let least = bytes.count / 64
        while let first = rest.first {
            let length = least + Int(first % 7) + 1
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }
}

extension Collection where Element == UInt8 {
    /// How often a text stands in the bytes.
    func count(of text: String) -> Int {
        let (bytes, sought) = (Data(self), Data(text.utf8))
        var count = 0
        var rest = bytes[...]
        while let found = rest.range(of: sought) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }

    func contains(text: String) -> Bool { count(of: text) > 0 }
}
