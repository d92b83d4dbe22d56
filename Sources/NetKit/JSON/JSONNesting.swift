import Foundation

/// How deep the values of a JSON text lie, as far as that costs JSONDecoder time.
///
/// Foundation writes down the coding path of a value for each container and for each guess that fails, in a time that
/// grows with the square of the value's depth: 40 KB of numbers, 500 arrays deep, take a ``JSONValue`` 40 seconds.
enum JSONNesting {
    /// What any text may cost: a single chain of as many containers as JSONDecoder reads.
    private static let freeCost: Int64 = 50_000_000
    /// What a text may cost for each of its bytes; five levels and values of one byte.
    private static let costOfByte: Int64 = 32

    /// Where a text has become too expensive for JSONDecoder, nil if it does not.
    ///
    /// - Parameter bytes: The text in UTF-8; whether it is JSON does not matter.
    /// - Returns: The error, one of nesting.
    static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
        let budget = freeCost + costOfByte * Int64(bytes.count)
        // Small texts have so few containers that no order of them is too expensive.
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

    /// Whether no more than `count` bytes begin a container, in strings too.
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

    /// Where the quote is that ends a string, or the end of the text.
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
