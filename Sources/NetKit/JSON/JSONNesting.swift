import Foundation

/// An estimate of the time that JSONDecoder needs for nested values.
///
/// For each container and each failed guess, Foundation records the coding path, in quadratic time in the depth. For
/// example, 40 KB of numbers in 500 nested arrays take a ``JSONValue`` 40 seconds.
enum JSONNesting {
    /// The cost that any text may have: a single chain of maximum depth.
    private static let freeCost: Int64 = 50_000_000
    /// The permitted cost per byte: single-byte values at a depth of five.
    private static let costOfByte: Int64 = 32

    /// Finds the position where a text becomes too expensive for JSONDecoder.
    ///
    /// - Parameter bytes: The UTF-8 text, which needn't be valid JSON.
    /// - Returns: A nesting error at that position, or nil if the text isn't too expensive.
    static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
        let budget = freeCost + costOfByte * Int64(bytes.count)
        // With so few containers, no arrangement of them is too expensive.
        let few = Int(Double(budget / Int64(max(bytes.count, 1))).squareRoot())
        if hasAtMost(few, containersIn: bytes) { return nil }
        var depth: Int64 = 0
        var cost: Int64 = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = end(ofStringAt: index, in: bytes)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                cost += depth * depth
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: ","): cost += depth * depth
            default: break
            }
            guard cost <= budget else {
                return JSONSyntaxError(.tooDeep, at: index, of: bytes.count)
            }
            index += 1
        }
        return nil
    }

    /// Whether at most `count` bytes begin a container, including those in strings.
    private static func hasAtMost(
        _ count: Int,
        containersIn bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let end = start + bytes.count
        var found = 0
        for bracket in [UInt8(ascii: "["), UInt8(ascii: "{")] {
            var place = start
            while let next = memchr(place, Int32(bracket), end - place) {
                found += 1
                if found > count { return false }
                place = UnsafePointer(next.assumingMemoryBound(to: UInt8.self)) + 1
            }
        }
        return true
    }

    /// Returns the position of a string's closing quote, or the end of the text.
    private static func end(
        ofStringAt start: Int,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }
}
