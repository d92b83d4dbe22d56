/// A resolver of `.` and `..` in paths (RFC 3986, section 5.2.4), including percent-encoded dots.
enum DotSegments {
    /// Resolves the segments of a percent-encoded path in place.
    ///
    /// Segments never lead above the first one.
    ///
    /// - Parameters:
    ///   - bytes: The path, with any prefix.
    ///   - start: The index of the first segment, after its slash.
    static func resolve(_ bytes: inout [UInt8], from start: Int) {
        guard mayHaveDots(bytes[start...]) else { return }
        var written = start
        var kept: [Int] = []
        var next = start
        while next <= bytes.count {
            let end = bytes[next...].firstIndex(of: slash) ?? bytes.count
            switch dots(bytes[next..<end]) {
            case 1: break
            case 2: written = kept.popLast() ?? start
            default:
                kept.append(written)
                for index in next..<min(end + 1, bytes.count) {
                    bytes[written] = bytes[index]
                    written += 1
                }
            }
            next = end + 1
        }
        bytes.removeSubrange(written...)
    }

    /// Returns 1 for `.`, 2 for `..`, and nil for any other segment.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int? {
        guard !segment.isEmpty, segment.count <= 6 else { return nil }
        var count = 0
        var rest = segment
        while let first = rest.first {
            if first == dot {
                rest.removeFirst()
            } else if rest.count >= 3, first == UInt8(ascii: "%"),
                rest[rest.startIndex + 1] == UInt8(ascii: "2"),
                rest[rest.startIndex + 2] | 0x20 == UInt8(ascii: "e")
            {
                rest.removeFirst(3)
            } else {
                return nil
            }
            count += 1
        }
        return count <= 2 ? count : nil
    }

    /// Whether a segment begins with a dot or a percent sign.
    private static func mayHaveDots(_ path: ArraySlice<UInt8>) -> Bool {
        var isFirst = true
        for byte in path {
            if isFirst, byte == dot || byte == UInt8(ascii: "%") { return true }
            isFirst = byte == slash
        }
        return false
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}
