package import Foundation

/// A scanner that locates a node in a JSON text without parsing or allocating.
///
/// It validates the containers on the path, and skips other values by their brackets and strings. The first of several
/// members with the same name applies, as with JSONDecoder. Nested values of any depth are skipped without recursion.
package struct JSONScanner {
    /// A reason why there is no node at a path.
    package enum Failure: Error {
        /// The text isn't JSON.
        case malformed(JSONSyntaxError)
        /// The first `steps` steps lead to a value of `kind`, which has no such child.
        case missing(steps: Int, kind: JSONKind)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var open = OpenBrackets()

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Returns the node at `path`, byte for byte as it appears in `body`.
    package static func slice(of body: Data, at path: JSONPath) throws(Failure) -> Data {
        let text = JSONText.utf8(body)
        // Doesn't use `body`, because the range refers to this text, which must not be converted again.
        let range = try JSONText.withBytes(ofUTF8: text) { bytes throws(Failure) in
            try Self.range(of: path, in: bytes)
        }
        // A copy, because callers expect indices that start at 0.
        return text.subdata(
            in: text.startIndex + range.lowerBound..<text.startIndex + range.upperBound
        )
    }

    /// Returns the byte range of the node at `path` in a UTF-8 text.
    package static func range(
        of path: JSONPath,
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(Failure) -> Range<Int> {
        var scanner = JSONScanner(bytes)
        for (count, step) in path.steps.enumerated() {
            try scanner.descend(to: step, after: count)
        }
        _ = try scanner.kind()
        let start = scanner.index
        try scanner.skipValue()
        let end = scanner.index
        try scanner.skipRest()
        return start..<end
    }

    // MARK: Finding the node

    /// Moves from the start of a container to its child.
    private mutating func descend(to step: JSONPath.Step, after count: Int) throws(Failure) {
        let kind = try kind()
        let isFound: Bool
        switch kind {
        case .object:
            open.push(.brace)
            index += 1
            isFound = try seekMember(step.key)
        case .array:
            open.push(.square)
            index += 1
            isFound = if let element = step.index { try seekElement(element) } else { false }
        default:
            try skipValue()
            isFound = false
        }
        if !isFound { throw .missing(steps: count, kind: kind) }
    }

    /// Moves to the value of the member with a name, if there is one.
    ///
    /// Starts after `{`.
    private mutating func seekMember(_ name: String) throws(Failure) -> Bool {
        skipWhiteSpace()
        while current != UInt8(ascii: "}") {
            guard current == UInt8(ascii: "\"") else { throw malformed() }
            let start = index + 1
            let isEscaped = try skipString()
            let isWanted = try matches(name, start..<index - 1, isEscaped: isEscaped)
            skipWhiteSpace()
            guard current == UInt8(ascii: ":") else { throw malformed() }
            index += 1
            if isWanted { return true }
            try skipValue()
            try skipComma(before: UInt8(ascii: "}"))
        }
        return false
    }

    /// Moves to the element with an index, if there is one.
    ///
    /// Starts after `[`.
    private mutating func seekElement(_ wanted: Int) throws(Failure) -> Bool {
        skipWhiteSpace()
        var position = 0
        while current != UInt8(ascii: "]") {
            if position == wanted { return true }
            try skipValue()
            try skipComma(before: UInt8(ascii: "]"))
            position += 1
        }
        return false
    }

    /// Skips a comma, unless the container ends here.
    private mutating func skipComma(before end: UInt8) throws(Failure) {
        skipWhiteSpace()
        if current == UInt8(ascii: ",") {
            index += 1
            skipWhiteSpace()
        } else if current != end {
            throw malformed()
        }
    }

    /// Whether a member's name, in its escaped form, equals `name`.
    private func matches(
        _ name: String,
        _ range: Range<Int>,
        isEscaped: Bool
    ) throws(Failure) -> Bool {
        let written = UnsafeBufferPointer(rebasing: bytes[range])
        if !isEscaped, written.elementsEqual(name.utf8) { return true }
        // Escapes and Unicode equivalence require a comparison of strings.
        guard isEscaped || name.utf8.contains(where: { $0 >= 0x80 }) else { return false }
        if let error = CombiningMarks.excess(in: written) { throw .malformed(error) }
        do {
            return try JSONString.text(of: written) == name
        } catch {
            throw .malformed(JSONSyntaxError(.invalidString, at: range.lowerBound, of: bytes.count))
        }
    }

    // MARK: Skipping values

    /// Skips the next value.
    private mutating func skipValue() throws(Failure) {
        switch try kind() {
        case .object, .array: try skipContainer()
        case .string: try skipString()
        case .number: skipToken()
        case .boolean, .null: try skipLiteral()
        }
    }

    /// Skips the container that begins here.
    private mutating func skipContainer() throws(Failure) {
        let depth = open.count
        open.push(OpenBrackets.Kind(bytes[index]))
        index += 1
        try skip(downTo: depth)
    }

    /// Skips to the end of all open containers and of the text.
    private mutating func skipRest() throws(Failure) {
        try skip(downTo: 0)
        skipWhiteSpace()
        if index < bytes.count { throw malformed() }
    }

    /// Skips until only `depth` brackets are open.
    private mutating func skip(downTo depth: Int) throws(Failure) {
        while open.count > depth {
            guard index < bytes.count else { throw malformed() }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                try skipString()
                continue
            }
            // `[` and `{` differ in a single bit, and so do `]` and `}`.
            if byte | 0x20 == UInt8(ascii: "{") {
                open.push(OpenBrackets.Kind(byte))
            } else if byte | 0x20 == UInt8(ascii: "}") {
                guard open.pop(OpenBrackets.Kind(byte)) else { throw malformed() }
            }
            index += 1
        }
    }

    /// Skips the string that begins here, and returns whether it contains escapes.
    @discardableResult
    private mutating func skipString() throws(Failure) -> Bool {
        index += 1
        var isEscaped = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return isEscaped }
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                index += 1
            }
        }
        throw malformed()
    }

    /// Skips the number that begins here.
    ///
    /// Its decoder validates it.
    private mutating func skipToken() {
        while index < bytes.count, !bytes[index].endsToken { index += 1 }
    }

    /// Skips `true`, `false` or `null`.
    private mutating func skipLiteral() throws(Failure) {
        let start = index
        skipToken()
        let token = bytes[start..<index]
        guard ["true", "false", "null"].contains(where: { token.elementsEqual($0.utf8) }) else {
            index = start
            throw malformed()
        }
    }

    private mutating func skipWhiteSpace() {
        while index < bytes.count, bytes[index].isJSONWhiteSpace { index += 1 }
    }

    /// Returns the kind of the next value.
    private mutating func kind() throws(Failure) -> JSONKind {
        skipWhiteSpace()
        guard index < bytes.count, let kind = JSONKind(firstByte: bytes[index]) else {
            throw malformed()
        }
        return kind
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func malformed() -> Failure {
        .malformed(JSONSyntaxError(at: index, of: bytes.count))
    }
}

extension UInt8 {
    fileprivate var endsToken: Bool {
        isJSONWhiteSpace || self == UInt8(ascii: ",") || self == UInt8(ascii: "]")
            || self == UInt8(ascii: "}")
    }
}

/// A path to a node in a JSON document, by names and indices.
package struct JSONPath: Equatable, Sendable, CustomStringConvertible {
    /// A step in a path: an object's member or, for a number, an array's element.
    package struct Step: Equatable, Sendable {
        /// The member's name.
        package let key: String
        /// The element's index, or nil if the key isn't a number.
        package let index: Int?

        /// Creates a step.
        ///
        /// If `key` consists of digits, it is also an index.
        package init(_ key: String) {
            self.key = key
            let isNumber = key.utf8.allSatisfy { (0x30...0x39).contains($0) }
            index = isNumber ? Int(key) : nil
        }

        /// Returns the child of a value as `JSONSerialization` makes it, nil if there is none.
        package func child(of node: Any) -> Any? {
            if let members = node as? [String: Any] { return members[key] }
            guard let elements = node as? [Any], let index, elements.indices.contains(index) else {
                return nil
            }
            return elements[index]
        }

        /// Creates a step to a member, even if its name is a number.
        package init(member name: String) {
            key = name
            index = nil
        }
    }

    /// The path of the whole document.
    package static let whole = JSONPath(steps: [])

    /// The steps from the root, empty for the whole document.
    package let steps: [Step]

    /// Creates a path from a text such as `a/0/b`.
    ///
    /// Empty steps are skipped, so `""` and `/` mean the whole document. As in a JSON Pointer (RFC 6901), `~1` is a
    /// slash in a name, and `~0` is a tilde.
    package init(_ text: String) {
        self.init(text, separator: "/")
    }

    /// Creates a path from `a.0.b`, or from `a/0/b` if it contains a slash.
    package init(dotted text: String) {
        self.init(text, separator: text.utf8.contains(UInt8(ascii: "/")) ? "/" : ".")
    }

    /// Creates a path from its steps.
    package init(steps: [Step]) {
        self.steps = steps
    }

    private init(_ text: String, separator: Character) {
        steps = text.split(separator: separator)
            .map { step in
                guard step.utf8.contains(UInt8(ascii: "~")) else { return Step(String(step)) }
                // In this order, so that `~01` becomes `~1`.
                return Step(String(step).replacing("~1", with: "/").replacing("~0", with: "~"))
            }
    }

    /// The path in the format of a coding path: `a[0].b`, or empty for the whole document.
    package var description: String { Self.text(of: steps[...]) }

    /// Returns the first `count` steps in the format of a coding path.
    package func prefix(_ count: Int) -> String { Self.text(of: steps.prefix(count)) }

    private static func text(of steps: ArraySlice<Step>) -> String {
        var text = ""
        for step in steps {
            if let index = step.index {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? step.key : "." + step.key
            }
        }
        return text
    }
}
