/// A path segment, or several, in place of the placeholder `{name}`.
///
/// ```swift
/// @Path("id") var id: Int
/// @Path("file", encoding: .segments) var file: String  // "notes/2026/plan.md"
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. The value is percent-encoded to remain a single
/// segment, unless the encoding is ``PathEncoding/segments``. Segments that are empty, `.` or `..` are refused, and so
/// is a parameter whose placeholder isn't in the path.
@propertyWrapper
public struct Path<Value: Sendable>: Sendable {
    package let name: String
    let encoding: PathEncoding
    private var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder, and whether the value has several segments. Defaults to one segment
    ///     in place of `{name}`.
    public init(_ name: String, encoding: PathEncoding = PathEncoding(pattern: "{key}")) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: The format of the placeholder, and whether the value has several segments. Defaults to one segment
    ///     in place of `{name}`.
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
    /// Whether the value has several segments.
    let spansSegments: Bool

    /// Several segments in place of `{name}`.
    ///
    /// The slashes of a string separate its segments. Each element of an array is one segment, so a slash in it is
    /// escaped. A segment that is empty, `.` or `..` is refused as ``InvalidRequest/Reason/unsafePathParameter(_:)``. A
    /// string that begins or ends with a slash has an empty segment.
    public static let segments = PathEncoding(pattern: "{key}", spansSegments: true)

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - pattern: The placeholder, with `key` in place of the parameter's name: `{key}`, `:key`, `##key##`.
    ///   - spansSegments: Whether the value has several segments, as with ``segments``. Defaults to false.
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
