/// A path segment that replaces the placeholder `{name}`.
///
/// ```swift
/// @Path("id") var id: Int
/// @Path("file", encoding: .segments) var file: String  // "notes/2026/plan.md"
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. The value is percent-encoded to remain a single
/// segment. The values `.`, `..` and the empty string are refused, and so is a parameter whose placeholder isn't in the
/// path.
@propertyWrapper
public struct Path<Value: Sendable>: Sendable {
    package let name: String
    let encoding: PathEncoding
    private var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: How the path names the place, and how many segments the value is. Defaults to one segment in the
    ///     place of `{name}`.
    public init(_ name: String, encoding: PathEncoding = PathEncoding(pattern: "{key}")) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: How the path names the place, and how many segments the value is. Defaults to one segment in the
    ///     place of `{name}`.
    public init(
        wrappedValue: Value,
        _ name: String,
        encoding: PathEncoding = PathEncoding(pattern: "{key}")
    ) {
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
    /// Whether the value is several segments.
    let spansSegments: Bool

    /// Several segments in the place of `{name}`, as many as the value has.
    ///
    /// The value is a text whose slashes stay, or an array whose elements are segments, so that a slash in an element
    /// is escaped. Each segment is escaped by itself. An empty value, an empty segment, as at a slash in front or at the
    /// end, `.` and `..` are refused as ``InvalidRequest/Reason/unsafePathParameter(_:)``.
    public static let segments = PathEncoding(pattern: "{key}", spansSegments: true)

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - pattern: What stands in the path, with `key` for the parameter's name: `{key}`, `:key`, `##key##`.
    ///   - spansSegments: Whether the value is several segments, as with ``segments``. Defaults to false.
    public init(pattern: String, spansSegments: Bool = false) {
        self.pattern = pattern
        self.spansSegments = spansSegments
    }

    /// Returns the placeholder of a parameter.
    func placeholder(for name: String) -> String {
        if pattern == "{key}" { return "{\(name)}" }
        return pattern.contains("key")
            ? pattern.replacing("key", with: name, maxReplacements: 1) : pattern
    }
}
