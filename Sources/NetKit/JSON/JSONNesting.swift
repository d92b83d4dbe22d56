package import Foundation

/// The limit on nested values that makes JSONDecoder safe to use.
///
/// On Linux, JSONDecoder ends the process if the text ends with the `[` that exceeds its maximum depth.
///
/// For each container and each failed guess, Foundation records the coding path, in quadratic time in the depth. For
/// example, 40 KB of numbers in 500 nested arrays take a ``JSONValue`` 40 seconds.
enum JSONNesting {
    /// The maximum depth, the same as JSONDecoder's.
    static let maximumDepth = 512
    /// The cost that any text may have: a single chain of maximum depth.
    private static let freeCost: Int64 = 50_000_000
    /// The permitted cost per byte: single-byte values at a depth of five.
    private static let costOfByte: Int64 = 32

    /// Finds the position where a text becomes too deep or too expensive for JSONDecoder.
    ///
    /// - Parameters:
    ///   - bytes: The UTF-8 text, which needn't be valid JSON.
    ///   - isJSON5: Whether the text may contain comments, and strings in single quotes.
    ///   - depth: The depth of the text itself.
    /// - Returns: A nesting error at that position, or nil if JSONDecoder may read the text.
    static func excess(
        in bytes: UnsafeBufferPointer<UInt8>,
        isJSON5: Bool = false,
        depth: Int = 0
    ) -> JSONSyntaxError? {
        let budget = freeCost + costOfByte * Int64(bytes.count)
        // With so few containers, no arrangement of them is too deep or too expensive.
        let few = Int(Double(budget / Int64(max(bytes.count, 1))).squareRoot())
        if hasAtMost(few, containersIn: bytes) { return nil }
        var depth = Int64(depth)
        var cost: Int64 = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = end(ofStringAt: index, in: bytes)
            case UInt8(ascii: "'") where isJSON5: index = end(ofStringAt: index, in: bytes)
            case UInt8(ascii: "/") where isJSON5: index = end(ofCommentAt: index, in: bytes)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                cost += depth * depth
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: ","): cost += depth * depth
            default: break
            }
            guard depth <= maximumDepth, cost <= budget else {
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
        while index < bytes.count, bytes[index] != bytes[start] {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// Returns the position of a comment's last byte, or the end of the text.
    ///
    /// A slash that begins no comment is returned unchanged.
    private static func end(
        ofCommentAt start: Int,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        guard start + 1 < bytes.count else { return start }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            let content = bytes[(start + 2)...]
            return content.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        case UInt8(ascii: "*"):
            var index = start + 3
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "/"), bytes[index - 1] == UInt8(ascii: "*") {
                    break
                }
                index += 1
            }
            return index
        default: return start
        }
    }
}

extension JSONDecoder {
    /// Decodes a value of a text from outside, which `decode(_:from:)` alone can't do safely.
    ///
    /// - Throws: `DecodingError`, or an error of `init(from:)`.
    package func decodeBounded<Value: Decodable>(
        _ type: Value.Type,
        from data: Data
    ) throws -> Value {
        let text: Data
        do throws(JSONSyntaxError) {
            text = try JSONText.decodable(data, by: self)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "Invalid JSON: \(error).")
            )
        }
        return try decode(type, from: text)
    }
}
