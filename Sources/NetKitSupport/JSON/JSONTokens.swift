/// A sequence of JSON tokens, up to the first syntax error.
///
/// A truncated text isn't an error, because it can be the beginning of a document. Several values in a row aren't an
/// error either. The text is read without recursion.
struct JSONTokens {
    struct Token {
        enum Kind {
            case object
            case array
            /// The end of an object or array.
            case close
            case name
            case string
            /// A number, `true`, `false` or `null`.
            case word
        }

        let kind: Kind
        /// The range of the whole token, including quotes.
        let range: Range<Int>
        /// Whether the token is complete.
        ///
        /// False for a string without its closing quote.
        var isEnded = true

        /// The range between the quotes.
        var content: Range<Int> { range.lowerBound + 1..<range.upperBound - (isEnded ? 1 : 0) }
    }

    private enum Place {
        case value
        case firstElement
        case firstName
        case name
        case colon
        case separator
    }

    /// Whether the text is invalid or nested too deeply from here on.
    private(set) var isBroken = false
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The open containers: true for an object, false for an array.
    private var open: [Bool] = []
    private var place = Place.value

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
    }

    /// Whether all containers are closed.
    var isComplete: Bool { !isBroken && open.isEmpty }

    /// Returns the next token, or nil at the end and at a syntax error.
    mutating func next() -> Token? {
        while !isBroken, index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            // In a JSON text sequence, a record separator precedes each text (RFC 7464).
            case 0x20, 0x09, 0x0A, 0x0D, 0x1E: index += 1
            case UInt8(ascii: ","):
                step(from: .separator, to: open.last == true ? .name : .value)
            case UInt8(ascii: ":"): step(from: .colon, to: .value)
            case UInt8(ascii: "{"), UInt8(ascii: "["): return opening(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): return closing(byte)
            case UInt8(ascii: "\""): return string()
            default: return word()
            }
        }
        return nil
    }

    private mutating func step(from expected: Place, to next: Place) {
        guard place == expected else { return isBroken = true }
        place = next
        index += 1
    }

    private var isValueExpected: Bool { place == .value || place == .firstElement }

    private mutating func endValue() {
        place = open.isEmpty ? .value : .separator
    }

    private mutating func opening(_ byte: UInt8) -> Token? {
        guard isValueExpected, open.count < JSONNesting.maximumDepth else { return broken() }
        let isObject = byte == UInt8(ascii: "{")
        open.append(isObject)
        place = isObject ? .firstName : .firstElement
        index += 1
        return Token(kind: isObject ? .object : .array, range: index - 1..<index)
    }

    private mutating func closing(_ byte: UInt8) -> Token? {
        let isObject = byte == UInt8(ascii: "}")
        guard open.last == isObject,
            place == .separator || place == (isObject ? .firstName : .firstElement)
        else { return broken() }
        open.removeLast()
        endValue()
        index += 1
        return Token(kind: .close, range: index - 1..<index)
    }

    private mutating func string() -> Token? {
        let isName = place == .firstName || place == .name
        guard isName || isValueExpected else { return broken() }
        let start = index
        index += 1
        var isEnded = false
        while index < bytes.endIndex, !isEnded {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            // Redaction would escape it with six bytes, and twice as many at each level of nested text.
            case 0..<0x20: return broken()
            case let byte:
                isEnded = byte == UInt8(ascii: "\"")
                index += 1
            }
        }
        index = min(index, bytes.endIndex)
        if isName { place = .colon } else { endValue() }
        return Token(kind: isName ? .name : .string, range: start..<index, isEnded: isEnded)
    }

    private mutating func word() -> Token? {
        guard isValueExpected else { return broken() }
        let word = bytes[index...].prefix { !Self.endsWord($0) }
        guard Self.isWord(word, isCut: word.endIndex == bytes.endIndex) else { return broken() }
        index = word.endIndex
        endValue()
        return Token(kind: .word, range: word.indices)
    }

    private static func isWord(_ word: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        guard let first = word.first else { return false }
        if first == UInt8(ascii: "-") || (0x30...0x39).contains(first) {
            return word.allSatisfy(isPartOfNumber)
        }
        return ["null", "true", "false"]
            .contains { text in
                word.elementsEqual(isCut ? text.utf8.prefix(word.count) : text.utf8[...])
            }
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""):
            true
        default: byte.isJSONWhiteSpace
        }
    }

    private mutating func broken() -> Token? {
        isBroken = true
        return nil
    }
}

/// A stack of open brackets, with one bit per bracket.
struct OpenBrackets {
    enum Kind: UInt64 {
        case square = 0
        case brace = 1

        /// Creates the kind of `[`, `]`, `{` or `}`.
        init(_ byte: UInt8) {
            self = byte & 0x20 == 0 ? .square : .brace
        }
    }

    /// The number of open brackets.
    private(set) var count = 0
    /// The innermost brackets, up to 64, with the last one in the lowest bit.
    private var innermost: UInt64 = 0
    /// The other brackets, 64 per word.
    private var outer: [UInt64] = []

    mutating func push(_ kind: Kind) {
        if count > 0, count.isMultiple(of: 64) {
            outer.append(innermost)
            innermost = 0
        }
        innermost = innermost << 1 | kind.rawValue
        count += 1
    }

    /// Closes the innermost bracket.
    ///
    /// Returns false if it isn't of this kind.
    mutating func pop(_ kind: Kind) -> Bool {
        guard count > 0, innermost & 1 == kind.rawValue else { return false }
        innermost >>= 1
        count -= 1
        if count > 0, count.isMultiple(of: 64) { innermost = outer.removeLast() }
        return true
    }
}

/// The escapes in JSON strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Resolves the escapes in a string's content.
    ///
    /// An invalid escape loses its backslash, and half a surrogate pair becomes U+FFFD.
    static func resolved(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        return bytes.withUnsafeBufferPointer { bytes in
            do throws(JSONString.Invalid) {
                return try JSONString.unescaped(bytes, repairing: true)[...]
            } catch {
                return []  // Not reached: nothing is invalid that is repaired.
            }
        }
    }

    /// Escapes a text for use between quotes.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
            case 0x0A: escaped += #"\n"#.utf8
            case 0x0D: escaped += #"\r"#.utf8
            case 0x09: escaped += #"\t"#.utf8
            case 0..<0x20:
                escaped += #"\u00"#.utf8 + [digit(byte >> 4), digit(byte & 0xF)]
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}
