/// Hides values of JSON by the names of their members, and leaves every other byte alone.
///
/// It reads the text twice, each time from the front to the back and without recursion: first to know that it is
/// JSON, and which objects say in one member what another one is, then to redact it.
struct RedactedJSON {
    /// What is known of an object that has a member such as `name` beside one such as `value`.
    private enum Pair {
        /// What it names is secret.
        case secret
        /// The text ends before it says what it names.
        case unknown
    }

    /// What becomes of a value.
    private enum Rule {
        case shown
        case hidden
        /// A number counts something, and stays.
        case hiddenButAmounts
        /// Hidden, unless it is a container.
        case hiddenAlone

        var hidesContainer: Bool { self == .hidden || self == .hiddenButAmounts }
    }

    private struct Container {
        let isObject: Bool
        /// What becomes of everything in it.
        let isHidden: Bool
        let pair: Pair?
    }

    private let bytes: ArraySlice<UInt8>
    private let redactor: Redactor
    private var edits: Edits

    /// A text without what is hidden.
    ///
    /// - Parameters:
    ///   - bytes: The text, or the first part of it.
    ///   - redactor: What is hidden. It looks into strings that hold text of their own.
    ///   - isWhole: Whether a text that ends too early is no JSON. Defaults to false.
    /// - Returns: The text; nil if it is no JSON.
    static func bytes(
        _ bytes: ArraySlice<UInt8>,
        by redactor: Redactor,
        isWhole: Bool = false
    ) -> [UInt8]? {
        redactor.effort.add(bytes.count * 2)
        guard let pairs = pairs(in: bytes, isWhole: isWhole, by: redactor) else { return nil }
        var json = RedactedJSON(bytes: bytes, redactor: redactor, edits: Edits(bytes))
        json.redact(pairs)
        return json.edits.edited
    }

    private mutating func redact(_ pairs: [Int: Pair]) {
        var tokens = JSONTokens(bytes)
        var open: [Container] = []
        var count = 0
        // What becomes of the value of the member whose name was read last.
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
            case .string: if rule == .shown { lookInto(token) } else { hide(token) }
            case .word: if rule != .shown { hide(word: token, isAmount: rule == .hiddenButAmounts) }
            }
        }
    }

    private func rule(for token: JSONTokens.Token, in pair: Pair?) -> Rule {
        let name = JSONEscapes.resolved(bytes[token.content])
        if redactor.redaction.hides(bodyField: name) {
            return SecretNames.suggestsAmount(name) ? .hiddenButAmounts : .hidden
        }
        guard let pair, PairNames.isForValue(name) else { return .shown }
        return pair == .secret ? .hidden : .hiddenAlone
    }

    private mutating func hide(_ token: JSONTokens.Token) {
        edits.replace(token.range, with: "\"\(Redaction.mark)\"".utf8)
    }

    /// Hides a number; what says nothing, as `null` and `true`, stays, and so does a number that counts.
    private mutating func hide(word token: JSONTokens.Token, isAmount: Bool) {
        let isNumber = bytes[token.range].first.map { $0 < 0x3A } ?? false
        if isNumber, !isAmount { edits.replace(token.range, with: "0".utf8) }
    }

    /// Hides what is secret within a string that is no secret itself.
    private mutating func lookInto(_ token: JSONTokens.Token) {
        let content = bytes[token.content]
        guard Redactor.mayHoldSecret(content) else { return }
        let plain = JSONEscapes.resolved(content)
        redactor.effort.add(content.count)
        guard let shown = redactor.nested.text(plain) else {
            return edits.replace(token.content, with: Redaction.mark.utf8)
        }
        if !shown.elementsEqual(plain) {
            edits.replace(token.content, with: JSONEscapes.escaped(shown))
        }
    }
}

// MARK: - Names and values side by side

extension RedactedJSON {
    private struct Naming {
        let number: Int
        var hasName = false
        var isSecret = false
        var hasValue = false
    }

    /// The objects that name what a member of theirs is, by their places among all objects; nil if the text is no JSON.
    private static func pairs(
        in bytes: ArraySlice<UInt8>,
        isWhole: Bool,
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
                if redactor.redaction.hides(bodyField: name) { open[last]?.isSecret = true }
            case .word: break
            }
        }
        guard !tokens.isBroken, !isWhole || tokens.isComplete else { return nil }
        for case let naming? in open where naming.hasValue {
            if naming.isSecret { pairs[naming.number] = .secret }
            if !naming.hasName { pairs[naming.number] = .unknown }
        }
        return pairs
    }
}
