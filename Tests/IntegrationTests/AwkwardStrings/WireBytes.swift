import Foundation

/// Reads what was sent byte for byte, and shares no code with what wrote it.
enum WireBytes {
    /// The bytes with their triplets replaced (RFC 3986, section 2.1); nil where there is a `%`
    /// without two digits, or a byte that may not stand in a target.
    static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var digits: [UInt8]?
        var bytes: [UInt8] = []
        for byte in text {
            if var open = digits {
                open.append(byte)
                digits = open
                guard open.count == 2 else { continue }
                guard !open.contains(UInt8(ascii: "+")),
                    let value = UInt8(String(decoding: open, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                digits = nil
            } else if byte == UInt8(ascii: "%") {
                digits = []
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                bytes.append(0x20)
            } else if byte > 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return digits == nil ? bytes : nil
    }

    /// The names and values of a query or a form; nil where they are not well written.
    static func items(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> [[[UInt8]]]? {
        var items: [[[UInt8]]] = []
        for item in Array(text).split(separator: UInt8(ascii: "&")) {
            let parts = item.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let decoded = parts.compactMap { Self.decoded($0, plusIsSpace: plusIsSpace) }
            guard decoded.count == 2 else { return nil }
            items.append(decoded)
        }
        return items
    }

    /// The parts of a multipart body, each its head and its content; nil where it is none.
    static func parts(_ body: Data, boundary: String) -> [(head: [UInt8], content: [UInt8])]? {
        let delimiter = Data("--\(boundary)\r\n".utf8)
        guard var start = body.range(of: delimiter), start.lowerBound == 0 else { return nil }
        var parts: [(head: [UInt8], content: [UInt8])] = []
        let separator = Data("\r\n--\(boundary)".utf8)
        while let end = body.range(of: separator, in: start.upperBound..<body.count) {
            let part = body[start.upperBound..<end.lowerBound]
            guard let headEnd = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let head = part[..<headEnd.lowerBound]
            parts.append((Array(head), Array(part[headEnd.upperBound...])))
            start = end.upperBound..<(end.upperBound + 2)
            guard start.upperBound <= body.count else { return nil }
        }
        return body[start] == Data("--".utf8) ? parts : nil
    }
}
