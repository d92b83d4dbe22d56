/// A version of a representation (RFC 9110, section 8.8.3): `"xyzzy"`, or `W/"xyzzy"` for a weak one.
struct EntityTag: Hashable, Sendable {
    /// What stands between the quotes.
    let value: String
    /// Whether versions that are only alike have the same tag.
    let isWeak: Bool

    /// Makes a tag.
    ///
    /// - Parameters:
    ///   - value: What stands between the quotes.
    ///   - isWeak: Whether versions that are only alike have the same tag. Defaults to false.
    init(_ value: String, isWeak: Bool = false) {
        self.value = value
        self.isWeak = isWeak
    }

    /// Reads a field's value; nil for text that is no tag.
    ///
    /// - Parameter fieldValue: The text with its quotes.
    init?(fieldValue: String) {
        let isWeak = fieldValue.hasPrefix("W/")
        let quoted = fieldValue.dropFirst(isWeak ? 2 : 0)
        guard quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\""),
            !quoted.dropFirst().dropLast().contains("\"")
        else { return nil }
        self.init(String(quoted.dropFirst().dropLast()), isWeak: isWeak)
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it stands in a field.
    var description: String { "\(isWeak ? "W/" : "")\"\(value)\"" }
}
