/// A tree of encoded values that keeps the encoding order.
final class FieldTree {
    enum Content {
        /// No value, which is omitted.
        case none
        case text(String)
        case flag(Bool)
        case array([FieldTree])
        case object([(name: String, value: FieldTree)])
    }

    var content: Content

    init(_ content: Content = .none) {
        self.content = content
    }

    /// Returns the node of a member.
    ///
    /// Encoding a member again replaces its value.
    func member(_ name: String) -> FieldTree {
        var members: [(name: String, value: FieldTree)] = []
        if case .object(let known) = content { members = known }
        if let known = members.first(where: { $0.name == name }) { return known.value }
        let value = FieldTree()
        // Release the array, so that appending doesn't copy it.
        content = .none
        members.append((name, value))
        content = .object(members)
        return value
    }

    /// Appends an element and returns its node.
    func nextElement() -> FieldTree {
        let element = FieldTree()
        var elements = elements
        content = .none
        elements.append(element)
        content = .array(elements)
        return element
    }

    var elements: [FieldTree] {
        if case .array(let elements) = content { elements } else { [] }
    }

    /// Returns an object's names and values, in order, or nil for other values.
    func fields(_ encoding: URLEncoding) -> [(String, String)]? {
        guard case .object(let members) = content else { return nil }
        return members.flatMap { $0.value.fields(named: $0.name, encoding) }
    }

    private func fields(named name: String, _ encoding: URLEncoding) -> [(String, String)] {
        switch content {
        case .none: return []
        case .text(let text): return [(name, text)]
        case .flag(let flag): return [(name, encoding.text(of: flag))]
        case .object(let members):
            return members.flatMap { member in
                member.value.fields(named: encoding.name(of: member.name, in: name), encoding)
            }
        case .array(let elements):
            let texts = elements.compactMap { $0.scalarText(encoding) }
            if texts.count == elements.count(where: { !$0.isNone }) {
                return encoding.fields(named: name, texts)
            }
            return elements.enumerated()
                .flatMap { index, element in
                    element.fields(named: "\(name)[\(index)]", encoding)
                }
        }
    }

    private var isNone: Bool {
        if case .none = content { true } else { false }
    }

    private func scalarText(_ encoding: URLEncoding) -> String? {
        switch content {
        case .text(let text): text
        case .flag(let flag): encoding.text(of: flag)
        case .none, .array, .object: nil
        }
    }
}
