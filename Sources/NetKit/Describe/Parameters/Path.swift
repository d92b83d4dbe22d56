/// A value that stands in the path as one segment, in the place of `{name}`.
///
/// ```swift
/// @Path("id") var id: Int
/// ```
///
/// A value may be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL, `Data` (base64), or a
/// `RawRepresentable` or `CustomStringConvertible` of these. It is escaped so that it stays one segment; an empty one, `.` and `..` are refused,
/// and so is one that has no place in the path.
@propertyWrapper
public struct Path<Value: Sendable>: Sendable {
    let name: String
    let encoding: PathEncoding
    private var storage = ParameterStorage<Value>()

    /// Makes a parameter whose value is set later.
    ///
    /// - Parameter name: The name that stands between the braces.
    public init(_ name: String) {
        self.name = name
        encoding = .braces
    }

    /// Makes a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name that stands between the braces.
    public init(wrappedValue: Value, _ name: String) {
        self.init(name)
        storage.value = wrappedValue
    }

    /// Makes a parameter with an encoding, whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: How the path names the place.
    public init(_ name: String, encoding: PathEncoding) {
        self.name = name
        self.encoding = encoding
    }

    /// Makes a parameter with a value and an encoding.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: How the path names the place.
    public init(wrappedValue: Value, _ name: String, encoding: PathEncoding) {
        self.init(name, encoding: encoding)
        storage.value = wrappedValue
    }

    /// The value.
    ///
    /// Setting it is all there is to do; one that is not Optional is set before it is read.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The value, nil where it was never set.
    var value: Value? { storage.stored }
}

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
    static let braces = PathEncoding(pattern: "{key}")

    /// What stands in a path for a parameter.
    func placeholder(for name: String) -> String {
        if pattern == "{key}" { return "{\(name)}" }
        return pattern.contains("key")
            ? pattern.replacing("key", with: name, maxReplacements: 1) : pattern
    }
}
