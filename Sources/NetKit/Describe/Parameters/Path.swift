/// A path segment that replaces the placeholder `{name}`.
///
/// ```swift
/// @Path("id") var id: Int
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. The value is percent-encoded to remain a single
/// segment. The values `.`, `..` and the empty string are refused, and so is a parameter whose placeholder isn't in the
/// path.
@propertyWrapper
public struct Path<Value: Sendable>: Sendable {
    let name: String
    let encoding: PathEncoding
    private var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameter name: The name between the braces of the placeholder.
    public init(_ name: String) {
        self.name = name
        encoding = .braces
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name between the braces of the placeholder.
    public init(wrappedValue: Value, _ name: String) {
        self.init(name)
        storage.value = wrappedValue
    }

    /// Creates a parameter with a placeholder format, whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder.
    public init(_ name: String, encoding: PathEncoding) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value and a placeholder format.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder.
    public init(wrappedValue: Value, _ name: String, encoding: PathEncoding) {
        self.init(name, encoding: encoding)
        storage.value = wrappedValue
    }

    /// The parameter's value.
    ///
    /// Unless the type is Optional, set the value before you read it.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The value, or nil if it was never set.
    var value: Value? { storage.stored }
}

/// The format of a ``Path`` parameter's placeholder.
public struct PathEncoding: Hashable, Sendable {
    /// The placeholder, with `key` in place of the parameter's name.
    let pattern: String

    /// Creates a placeholder format.
    ///
    /// - Parameter pattern: The placeholder, with `key` in place of the parameter's name: `{key}` (the format of a
    ///   ``Path`` without an encoding), `:key` or `##key##`.
    public init(pattern: String) {
        self.pattern = pattern
    }

    /// The default format, `{key}`.
    static let braces = PathEncoding(pattern: "{key}")

    /// Returns the placeholder of a parameter.
    func placeholder(for name: String) -> String {
        if pattern == "{key}" { return "{\(name)}" }
        return pattern.contains("key")
            ? pattern.replacing("key", with: name, maxReplacements: 1) : pattern
    }
}
