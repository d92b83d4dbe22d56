package import Foundation
package import NetKitSupport

/// A strict JSON parser, except that it allows a trailing comma, as JSONDecoder does.
///
/// `JSONSerialization` would lose digits, and is many times slower.
struct JSONParser<Builder: JSONBuilder> {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Parses a UTF-8 document.
    static func document(
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONSyntaxError) -> Builder.Node {
        if let error = CombiningMarks.excess(in: bytes) { throw error }
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

/// A builder of the values that a ``JSONParser`` produces.
protocol JSONBuilder {
    associatedtype Node
    static var null: Node { get }
    static func bool(_ value: Bool) -> Node
    static func string(_ text: String) -> Node
    static func array(_ elements: [Node]) -> Node
    static func object(_ members: [String: Node]) -> Node
    /// Creates a number from JSON text, or nil if `Node` can't hold it.
    static func number(_ text: String, isInteger: Bool) -> Node?
}

/// A builder of ``JSONValue``.
enum JSONValueBuilder: JSONBuilder {
    static var null: JSONValue { .null }
    static func bool(_ value: Bool) -> JSONValue { .bool(value) }
    static func string(_ text: String) -> JSONValue { .string(text) }
    static func array(_ elements: [JSONValue]) -> JSONValue { .array(elements) }
    static func object(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

    static func number(_ text: String, isInteger: Bool) -> JSONValue? {
        if isInteger, let integer = Int64(text) { return .number(Decimal(integer)) }
        return Decimal(string: text).map(JSONValue.number)
    }
}

/// A builder of the input of a ``ResponseJSONConverter``.
enum AnyJSONBuilder: JSONBuilder {
    static var null: Any { NSNull() }
    static func bool(_ value: Bool) -> Any { value }
    static func string(_ text: String) -> Any { text }
    static func array(_ elements: [Any]) -> Any { elements }
    static func object(_ members: [String: Any]) -> Any { members }

    static func number(_ text: String, isInteger: Bool) -> Any? {
        JSONNumberLiteral.number(text, isInteger: isInteger)
    }
}

extension JSONText {
    /// Parses the document into a `JSONValue`.
    package static func value(of body: Data) throws(JSONSyntaxError) -> JSONValue {
        try withBytes(of: body, JSONParser<JSONValueBuilder>.document)
    }

    /// Parses the document into the input of a converter.
    static func any(of body: Data) throws(JSONSyntaxError) -> Any {
        try withBytes(of: body, JSONParser<AnyJSONBuilder>.document)
    }

    /// Returns the syntax error of a document, or nil for JSON.
    static func syntaxError(of body: Data) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try any(of: body)
            return nil
        } catch {
            return error
        }
    }
}
