import NetKitSupport

/// A segment of a route's path: text and placeholders such as `{id}`.
struct StubSegment: Sendable {
    private enum Part: Sendable {
        case text(String)
        case placeholder(String)
    }

    private let parts: [Part]

    /// Parses a segment with its escapes, so that an escaped brace is text.
    ///
    /// A whole segment `:id` is a placeholder too, because requests can write it that way.
    init(_ text: Substring) {
        if text.first == ":", text.count > 1 {
            parts = [.placeholder(String(text.dropFirst()))]
        } else {
            parts = Self.parts(of: text, plusIsSpace: false)
        }
    }

    /// Parses the value of a query item with its escapes.
    init(queryValue text: Substring) {
        parts = Self.parts(of: text, plusIsSpace: true)
    }

    private static func parts(of text: Substring, plusIsSpace: Bool) -> [Part] {
        let decoded = { (text: Substring) in
            FormFields.percentDecoded(text.utf8, plusIsSpace: plusIsSpace)
        }
        var parts: [Part] = []
        var rest = text
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" }
            rest = rest[literal.endIndex...]
            guard let end = rest.firstIndex(of: "}") else {
                parts.append(.text(decoded(text[literal.startIndex...])))
                break
            }
            if !literal.isEmpty { parts.append(.text(decoded(literal))) }
            parts.append(.placeholder(decoded(rest[..<end].dropFirst())))
            rest = rest[end...].dropFirst()
        }
        return parts
    }

    /// Returns the values of the placeholders in a decoded text, or nil if it doesn't match.
    ///
    /// A placeholder matches at least one character, and as few as the text after it allows.
    func match(_ text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = text[...]
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let literal):
                guard rest.hasPrefix(literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .placeholder(let name):
                guard !rest.isEmpty else { return nil }
                let end = end(of: index, in: rest)
                values[name] = String(rest[..<end])
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// Returns the edit distance between the segment and a decoded text.
    func distance(to text: String) -> Int {
        guard match(text) == nil else { return 0 }
        let literals = parts.map { if case .text(let literal) = $0 { literal } else { "" } }
        return EditDistance.between(literals.joined(), text)
    }

    /// Returns the end of the placeholder at `index`: the next text, else the segment's end.
    private func end(of index: Int, in rest: Substring) -> String.Index {
        guard index + 1 < parts.count else { return rest.endIndex }
        guard case .text(let next) = parts[index + 1] else {
            return rest.index(after: rest.startIndex)
        }
        // If the last text occurs several times, the occurrence at the end counts.
        if index + 2 == parts.count, rest.hasSuffix(next), rest.count > next.count {
            return rest.index(rest.endIndex, offsetBy: -next.count)
        }
        return rest.dropFirst().firstRange(of: next)?.lowerBound ?? rest.endIndex
    }
}
