/// What stands between two slashes of a route: text, and placeholders such as `{id}`.
struct StubSegment: Sendable {
    private enum Part: Sendable {
        case text(String)
        case placeholder(String)
    }

    private let parts: [Part]

    /// Reads a segment that is decoded.
    ///
    /// `:id` is a placeholder too, if it is all there is, as requests may write it.
    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        if rest.first == ":", rest.count > 1 {
            parts = [.placeholder(String(rest.dropFirst()))]
            rest = ""
        }
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" }
            rest = rest[literal.endIndex...]
            guard let end = rest.firstIndex(of: "}") else {
                parts.append(.text("\(literal)\(rest)"))
                break
            }
            if !literal.isEmpty { parts.append(.text(String(literal))) }
            parts.append(.placeholder(String(rest[..<end].dropFirst())))
            rest = rest[end...].dropFirst()
        }
        self.parts = parts
    }

    /// What the placeholders stand for in a decoded text, nil if it is another one.
    ///
    /// A placeholder stands for one character at least, and for as few as what is behind it allows.
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

    /// How many letters tell a decoded text from this.
    func distance(to text: String) -> Int {
        guard match(text) == nil else { return 0 }
        let literals = parts.map { if case .text(let literal) = $0 { literal } else { "" } }
        return EditDistance.between(literals.joined(), text)
    }

    /// Where the placeholder at `index` ends: at the text behind it, else with the segment.
    private func end(of index: Int, in rest: Substring) -> String.Index {
        guard index + 1 < parts.count else { return rest.endIndex }
        guard case .text(let next) = parts[index + 1] else {
            return rest.index(after: rest.startIndex)
        }
        // Of the last text there may be several; it is the one at the end that counts.
        if index + 2 == parts.count, rest.hasSuffix(next), rest.count > next.count {
            return rest.index(rest.endIndex, offsetBy: -next.count)
        }
        return rest.dropFirst().firstRange(of: next)?.lowerBound ?? rest.endIndex
    }
}
