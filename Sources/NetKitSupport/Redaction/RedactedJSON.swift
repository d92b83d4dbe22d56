/// A redactor that replaces JSON values by member name and keeps every other byte.
///
/// It makes two passes, without recursion. The first checks that the text is JSON, and finds objects in which one
/// member labels another. The second redacts. An element of an array can also label the others, as in
/// `["Authorization", "Bearer …"]` and `["--password", "…"]`, so everything after a secret's name is redacted. A text
/// that is only a string has no name, and is redacted.
struct RedactedJSON {
    /// An object with a labeled value, such as members `name` and `value`.
    private enum Pair {
        /// The label is a secret's name.
        case secret
        /// The text ends before the label.
        case unknown
    }

    /// The treatment of a value.
    private enum Rule {
        case shown
        case hidden
        /// Redact, but keep numbers, which are amounts.
        case hiddenButAmounts
        /// Redact, unless the value is a container.
        case hiddenAlone

        var hidesContainer: Bool { self == .hidden || self == .hiddenButAmounts }
    }

    private struct Container {
        let isObject: Bool
        /// Whether everything in the container is redacted.
        var isHidden: Bool
        let pair: Pair?
    }

    private let bytes: ArraySlice<UInt8>
    private let redactor: Redactor
    private var edits: Edits

    /// Redacts a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text, or its beginning.
    ///   - redactor: The redactor, which also examines strings with nested text.
    /// - Returns: The redacted text, or nil if it isn't JSON.
    static func bytes(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8]? {
        redactor.effort.add(bytes.count * 2)
        guard let pairs = pairs(in: bytes, by: redactor) else { return nil }
        var json = RedactedJSON(bytes: bytes, redactor: redactor, edits: Edits(bytes))
        json.redact(pairs)
        return json.edits.edited
    }

    private mutating func redact(_ pairs: [Int: Pair]) {
        var tokens = JSONTokens(bytes)
        var open: [Container] = []
        var count = 0
        // The treatment of the current member's value.
        var member = Rule.shown
        while let token = tokens.next() {
            let rule: Rule
            if let container = open.last {
                rule = container.isHidden ? .hidden : container.isObject ? member : .shown
            } else {
                rule = .shown
            }
            switch token.kind {
            case .object, .array:
                let isObject = token.kind == .object
                open.append(
                    Container(
                        isObject: isObject,
                        isHidden: rule.hidesContainer,
                        pair: isObject ? pairs[count] : nil
                    )
                )
                if isObject { count += 1 }
            case .close: open.removeLast()
            case .name:
                member = self.rule(for: token, in: open.last?.pair)
                lookInto(token)
            case .string:
                guard rule == .shown, let last = open.indices.last else {
                    hide(token)
                    break
                }
                lookInto(token)
                if !open[last].isObject, isName(token) { open[last].isHidden = true }
            case .word: if rule != .shown { hide(word: token, isAmount: rule == .hiddenButAmounts) }
            }
        }
    }

    private func rule(for token: JSONTokens.Token, in pair: Pair?) -> Rule {
        let name = JSONEscapes.resolved(bytes[token.content])
        if redactor.rules.hides(bodyField: name) {
            return redactor.rules.showsAmounts(of: name) ? .hiddenButAmounts : .hidden
        }
        guard let pair, PairNames.isForValue(name) else { return .shown }
        return pair == .secret ? .hidden : .hiddenAlone
    }

    /// Whether an element of an array is a secret's name or an option with one.
    ///
    /// A path or a URL isn't.
    private func isName(_ token: JSONTokens.Token) -> Bool {
        let text = JSONEscapes.resolved(bytes[token.content])
        return redactor.rules.hides(queryName: text)
            && !text.dropFirst().contains { "/?".utf8.contains($0) }
    }

    private mutating func hide(_ token: JSONTokens.Token) {
        edits.replace(token.range, with: "\"\(RedactionRules.mark)\"".utf8)
    }

    /// Redacts a number, unless it is an amount.
    ///
    /// Keeps `null`, `true` and `false`.
    private mutating func hide(word token: JSONTokens.Token, isAmount: Bool) {
        let isNumber = bytes[token.range].first.map { $0 < 0x3A } ?? false
        if isNumber, !isAmount { edits.replace(token.range, with: "0".utf8) }
    }

    /// Redacts secrets nested in a string that isn't itself secret.
    private mutating func lookInto(_ token: JSONTokens.Token) {
        let content = bytes[token.content]
        guard Redactor.mayHoldSecret(content) else { return }
        let plain = JSONEscapes.resolved(content)
        redactor.effort.add(content.count)
        guard let shown = redactor.nested.text(plain) else {
            return edits.replace(token.content, with: RedactionRules.mark.utf8)
        }
        if !shown.elementsEqual(plain) {
            edits.replace(token.content, with: JSONEscapes.escaped(shown))
        }
    }
}

// MARK: - Labeled values

extension RedactedJSON {
    private struct Naming {
        let number: Int
        var hasName = false
        var isSecret = false
        var hasValue = false
    }

    /// Finds the objects that label a member, by their position among all objects.
    ///
    /// Nil for invalid JSON.
    private static func pairs(
        in bytes: ArraySlice<UInt8>,
        by redactor: Redactor
    ) -> [Int: Pair]? {
        var tokens = JSONTokens(bytes)
        var pairs: [Int: Pair] = [:]
        var open: [Naming?] = []
        var count = 0
        var isName = false
        while let token = tokens.next() {
            switch token.kind {
            case .object:
                open.append(Naming(number: count))
                count += 1
            case .array: open.append(nil)
            case .close:
                if let naming = open.removeLast(), naming.isSecret, naming.hasValue {
                    pairs[naming.number] = .secret
                }
            case .name:
                let name = JSONEscapes.resolved(bytes[token.content])
                isName = PairNames.isForName(name)
                let last = open.endIndex - 1
                if isName { open[last]?.hasName = true }
                if PairNames.isForValue(name) { open[last]?.hasValue = true }
            case .string:
                guard isName, let last = open.indices.last, open[last] != nil else { break }
                let name = JSONEscapes.resolved(bytes[token.content])
                if redactor.rules.hides(bodyField: name) { open[last]?.isSecret = true }
            case .word: break
            }
        }
        guard !tokens.isBroken else { return nil }
        for case let naming? in open where naming.hasValue {
            if naming.isSecret { pairs[naming.number] = .secret }
            if !naming.hasName { pairs[naming.number] = .unknown }
        }
        return pairs
    }
}

/// Names of members that label a value next to them: `{"name": "password", "value": "…"}`.
private enum PairNames {
    /// Whether a member with this name can label a value next to it.
    static func isForName(_ name: ArraySlice<UInt8>) -> Bool { contains(names, name) }

    /// Whether a member with this name can hold a labeled value.
    static func isForValue(_ name: ArraySlice<UInt8>) -> Bool { contains(values, name) }

    private static func contains(_ words: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
        words.contains { word in
            word.count == name.count && zip(word, name).allSatisfy { $0 == HTTPToken.folded($1) }
        }
    }

    private static let names = [
        "name", "key", "field", "fieldname", "header", "headername", "id", "k", "kind", "label",
        "param", "parameter", "property", "attribute", "type", "variable",
    ]
    .map { Array($0.utf8) }

    private static let values = [
        "value", "values", "val", "v", "content", "contents", "data", "text", "default",
        "stringvalue", "rawvalue", "current",
    ]
    .map { Array($0.utf8) }
}
