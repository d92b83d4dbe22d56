import Foundation

/// A response's body as JSON text: its bytes as UTF-8, and what can be asked without decoding.
enum JSONText {
    /// Runs `read` on the text's bytes: UTF-8, without a byte order mark.
    static func withBytes<Result, Failure: Error>(
        of body: Data,
        _ read: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(ofUTF8: utf8(body), read)
    }

    /// One piece of code for all results: reading `Data` is long where it is inlined.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    static func withBytes<Result, Failure: Error>(
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

    /// The document as a value.
    static func value(of body: Data) throws(JSONSyntaxError) -> JSONValue {
        try withBytes(of: body) { bytes throws(JSONSyntaxError) in
            try JSONParser<JSONValueBuilder>.document(in: bytes)
        }
    }

    /// The document as a converter gets it.
    static func any(of body: Data) throws(JSONSyntaxError) -> Any {
        try withBytes(of: body) { bytes throws(JSONSyntaxError) in
            try JSONParser<AnyJSONBuilder>.document(in: bytes)
        }
    }

    /// Why JSONDecoder can't be given the document, nil if it can, see ``JSONNesting``.
    static func nestingExcess(of body: Data) -> JSONSyntaxError? {
        withBytes(of: body) { JSONNesting.excess(in: $0) }
    }

    /// The kind of the node at `path`, nil if there is none.
    @inline(never)
    static func kind(of body: Data, at path: JSONPath) -> JSONKind? {
        withBytes(of: body) { bytes in
            // A node that is not there has no kind: that is the answer, not a failure.
            guard let range = try? JSONScanner.range(of: path, in: bytes), !range.isEmpty else {
                return nil
            }
            return JSONKind(firstByte: bytes[range.lowerBound])
        }
    }

    /// Whether the document is `null`.
    static func isNull(_ body: Data) -> Bool {
        body.count < 64 && kind(of: body, at: .whole) == .null
    }

    /// The text as UTF-8.
    ///
    /// JSON in UTF-16 or UTF-32, which JSONDecoder knows by its zero bytes, is
    /// rewritten; all else is taken as it is, but for a byte order mark.
    static func utf8(_ body: Data) -> Data {
        let start = body.prefix(4)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return body.dropFirst(3) }
        guard start.contains(0) else { return body }
        let encoding: String.Encoding =
            switch start.map({ $0 == 0 }) {
            case [true, true, true, false], [true, true, false, false]: .utf32BigEndian
            case [false, true, true, true], [false, false, true, true]: .utf32LittleEndian
            case let zeros where zeros.first == true || start.first == 0xFE: .utf16BigEndian
            default: .utf16LittleEndian
            }
        guard let text = String(data: body, encoding: encoding) else { return body }
        return Data(text.drop { $0 == "\u{FEFF}" }.utf8)
    }
}

extension UInt8 {
    /// Whether the byte is one of JSON's four white space characters.
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

/// What a JSON value is, as far as its first byte tells.
package enum JSONKind: String, Sendable, CustomStringConvertible {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case boolean = "a boolean"
    case null = "null"

    /// The kind of the value that begins with `byte`, nil if none does.
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

    /// The kind with its article, for a sentence.
    package var description: String { rawValue }
}
