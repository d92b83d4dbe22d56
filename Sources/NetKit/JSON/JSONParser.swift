/// A strict JSON parser, except that it allows a trailing comma, as JSONDecoder does.
///
/// `JSONSerialization` would lose digits, and is many times slower.
struct JSONParser<Builder: JSONBuilder> {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Parses a UTF-8 document.
    static func document(
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONSyntaxError) -> Builder.Node {
        var parser = JSONParser(bytes)
        let node = try parser.value(depth: 0)
        parser.skipWhiteSpace()
        if parser.index < bytes.count { throw parser.failure() }
        return node
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        skipWhiteSpace()
        guard depth <= JSONNesting.maximumDepth else { throw failure(.tooDeep) }
        guard let byte = current, let kind = JSONKind(firstByte: byte) else { throw failure() }
        return switch kind {
        case .object: try object(depth: depth)
        case .array: try array(depth: depth)
        case .string: Builder.string(try string())
        case .number: try number()
        case .boolean where byte == UInt8(ascii: "t"): try literal("true", Builder.bool(true))
        case .boolean: try literal("false", Builder.bool(false))
        case .null: try literal("null", Builder.null)
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        index += 1
        skipWhiteSpace()
        var members: [String: Builder.Node] = [:]
        while current != UInt8(ascii: "}") {
            guard current == UInt8(ascii: "\"") else { throw failure() }
            let name = try string()
            skipWhiteSpace()
            guard current == UInt8(ascii: ":") else { throw failure() }
            index += 1
            let node = try value(depth: depth + 1)
            // The first of several members with the same name applies, as with JSONDecoder.
            if members[name] == nil { members[name] = node }
            try skipComma(before: UInt8(ascii: "}"))
        }
        index += 1
        return Builder.object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        index += 1
        skipWhiteSpace()
        var elements: [Builder.Node] = []
        while current != UInt8(ascii: "]") {
            elements.append(try value(depth: depth + 1))
            try skipComma(before: UInt8(ascii: "]"))
        }
        index += 1
        return Builder.array(elements)
    }

    private mutating func skipComma(before end: UInt8) throws(JSONSyntaxError) {
        skipWhiteSpace()
        if current == UInt8(ascii: ",") {
            index += 1
            skipWhiteSpace()
        } else if current != end {
            throw failure()
        }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw failure() }
        let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
        index += 1
        do {
            return try JSONString.text(of: content)
        } catch {
            throw JSONSyntaxError(.invalidString, at: start, of: bytes.count)
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> Builder.Node {
        let start = index
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let node = Builder.number(text, isInteger: isInteger) else {
            throw JSONSyntaxError(.unsupportedNumber, at: start, of: bytes.count)
        }
        return node
    }

    private mutating func literal(
        _ text: StaticString,
        _ node: Builder.Node
    ) throws(JSONSyntaxError) -> Builder.Node {
        for position in 0..<text.utf8CodeUnitCount {
            guard skip(text.utf8Start[position]) else { throw failure() }
        }
        return node
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = index
        while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
        if index == start { throw failure() }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte.isJSONWhiteSpace { index += 1 }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func failure(
        _ reason: JSONSyntaxError.Reason = .unexpectedCharacter
    ) -> JSONSyntaxError {
        JSONSyntaxError(reason, at: index, of: bytes.count)
    }
}
