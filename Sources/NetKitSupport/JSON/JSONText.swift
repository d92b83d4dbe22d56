package import Foundation

/// Operations on the JSON text of a response body that don't decode it.
package enum JSONText {
    /// Calls `read` with the UTF-8 text, without a byte order mark.
    package static func withBytes<Result, Failure: Error>(
        of body: Data,
        _ read: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(ofUTF8: utf8(body), read)
    }

    /// One copy of the code for all results, because inlined access to `Data` is large.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    package static func withBytes<Result, Failure: Error>(
        ofUTF8 text: Data,
        _ read: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = text.withUnsafeBytes { raw -> Swift.Result<Result, Failure> in
            raw.withMemoryRebound(to: UInt8.self) { bytes in
                do throws(Failure) {
                    return .success(try read(bytes))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }

    /// Returns the text that a decoder may read.
    ///
    /// With JSON5, bytes that aren't UTF-8 can end the process on Linux.
    ///
    /// - Throws: An error if the document is too deep or too expensive for JSONDecoder, see ``JSONNesting`` and
    ///   ``CombiningMarks``, or if it is invalid JSON5 in a way that JSONDecoder doesn't survive.
    package static func decodable(
        _ body: Data,
        by decoder: JSONDecoder
    ) throws(JSONSyntaxError) -> Data {
        let isJSON5 = decoder.allowsJSON5
        let depth = decoder.assumesTopLevelDictionary ? 1 : 0
        let text = utf8(body)
        let problem = withBytes(ofUTF8: text) { bytes in
            (isJSON5 ? invalidUTF8(in: bytes) : nil)
                ?? JSONNesting.excess(in: bytes, isJSON5: isJSON5, depth: depth)
                ?? CombiningMarks.excess(in: bytes)
        }
        if let problem { throw problem }
        return isJSON5 ? text : body
    }

    /// Finds the first byte that isn't UTF-8.
    private static func invalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
        let repaired = String(decoding: bytes, as: UTF8.self).utf8
        guard let index = zip(bytes, repaired).enumerated().first(where: { $1.0 != $1.1 }) else {
            return nil
        }
        return JSONSyntaxError(.invalidString, at: index.offset, of: bytes.count)
    }

    /// Returns the kind of the node at `path`, or nil if there is none.
    @inline(never)
    package static func kind(of body: Data, at path: JSONPath) -> JSONKind? {
        withBytes(of: body) { bytes in
            // A missing node has no kind, so the error carries no information.
            guard let range = try? JSONScanner.range(of: path, in: bytes), !range.isEmpty else {
                return nil
            }
            return JSONKind(firstByte: bytes[range.lowerBound])
        }
    }

    /// Whether the document is `null`.
    package static func isNull(_ body: Data) -> Bool {
        body.count < 64 && kind(of: body, at: .whole) == .null
    }

    /// Converts the text to UTF-8.
    ///
    /// UTF-16 and UTF-32, which are recognized by their zero bytes as in JSONDecoder, are converted. Any other text
    /// only loses its byte order mark.
    package static func utf8(_ body: Data) -> Data {
        // Not on `Data`, whose algorithms are slow: this runs for each response.
        let (hasZero, first) = body.withUnsafeBytes { ($0.prefix(4).contains(0), $0.first) }
        guard hasZero || first == 0xEF else { return body }
        let start = body.prefix(4)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return body.dropFirst(3) }
        guard hasZero else { return body }
        let encoding: String.Encoding =
            switch start.map({ $0 == 0 }) {
            case [true, true, true, false], [true, true, false, false]: .utf32BigEndian
            case [false, true, true, true], [false, false, true, true]: .utf32LittleEndian
            case let zeros where zeros.first == true || start.first == 0xFE: .utf16BigEndian
            default: .utf16LittleEndian
            }
        guard let text = String(data: body, encoding: encoding) else { return body }
        // Not by characters, each of which includes all marks that follow it.
        return Data(String(text.unicodeScalars.drop { $0 == "\u{FEFF}" }).utf8)
    }
}

extension UInt8 {
    /// Whether the byte is one of JSON's four white space characters.
    @inlinable package var isJSONWhiteSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}

/// The kind of a JSON value, as determined by its first byte.
package enum JSONKind: String, Sendable, CustomStringConvertible {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case boolean = "a boolean"
    case null = "null"

    /// Creates the kind of a value from its first byte.
    ///
    /// Nil if no value begins with it.
    package init?(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }

    /// Creates the kind of a value as `JSONSerialization` makes it, nil for any other.
    package init?(of node: Any) {
        switch node {
        case is [String: Any]: self = .object
        case is [Any]: self = .array
        case is String: self = .string
        case is NSNull: self = .null
        case let value where type(of: value) == Bool.self: self = .boolean
        case is NSNumber: self = .number
        default: return nil
        }
    }

    /// The kind with its article, for use in a sentence.
    package var description: String { rawValue }
}

/// The limit on nested values that makes JSONDecoder safe to use.
///
/// On Linux, JSONDecoder ends the process if the text ends with the `[` that exceeds its maximum depth.
///
/// For each container and each failed guess, Foundation records the coding path, in quadratic time in the depth. For
/// example, 40 KB of numbers in 500 nested arrays take a ``JSONValue`` 40 seconds.
package enum JSONNesting {
    /// The maximum depth, the same as JSONDecoder's.
    package static let maximumDepth = 512
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

extension JSONEncoder {
    /// An encoder that sorts keys, and leaves slashes unescaped.
    ///
    /// Each access returns a new encoder.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Encodes a value, and refuses a `Decimal` that isn't a number, which `encode(_:)` alone writes as `NaN`.
    ///
    /// - Throws: The location of a value without a JSON form. It is the whole value for such a `Decimal`.
    package func encodeFinite(_ value: any Encodable) throws(Unencodable) -> Data {
        let data: Data
        do {
            data = try encode(value)
        } catch EncodingError.invalidValue(let value, let context) {
            throw Unencodable(value, at: context.codingPath)
        } catch {
            throw Unencodable(value, because: error)
        }
        guard JSONText.mentionsNaN(data) else { return data }
        var tokens = JSONTokens([UInt8](data)[...])
        while tokens.next() != nil {}
        guard !tokens.isBroken else { throw Unencodable(type: Decimal.self, at: []) }
        return data
    }
}

extension JSONText {
    /// Whether `NaN` occurs in a text, even in a string.
    fileprivate static func mentionsNaN(_ text: Data) -> Bool {
        withBytes(ofUTF8: text) { bytes in
            guard var place = UnsafeRawPointer(bytes.baseAddress) else { return false }
            let end = place + bytes.count
            while let next = memchr(place, Int32(UInt8(ascii: "N")), end - place) {
                if end - UnsafeRawPointer(next) >= 3, memcmp(next, "NaN", 3) == 0 { return true }
                place = UnsafeRawPointer(next + 1)
            }
            return false
        }
    }
}

extension Decimal {
    /// Creates the decimal with the same text as `value`.
    ///
    /// `Decimal(_: Double)` is inexact for many values.
    package init?(written value: Double) {
        guard value.isFinite else { return nil }
        let decimal = Decimal(string: value.description) ?? Decimal(value)
        guard decimal.isFinite else { return nil }
        self = decimal
    }
}
