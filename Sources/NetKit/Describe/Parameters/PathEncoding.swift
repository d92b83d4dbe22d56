/// How a path names the place of a ``Path`` parameter.
public struct PathEncoding: Hashable, Sendable {
    /// What stands in the path, with `key` for the parameter's name.
    let pattern: String

    /// Makes an encoding.
    ///
    /// - Parameter pattern: What stands in the path, with `key` for the parameter's name: `{key}`,
    ///   the default, `:key`, `##key##`.
    public init(pattern: String) {
        self.pattern = pattern
    }

    /// `{key}`.
    public static let braces = PathEncoding(pattern: "{key}")

    /// What stands in a path for a parameter.
    func placeholder(for name: String) -> String {
        if pattern == "{key}" { return "{\(name)}" }
        return pattern.contains("key")
            ? pattern.replacing("key", with: name, maxReplacements: 1) : pattern
    }
}
