/// A header field that overrides a field of the same name in `headers`.
///
/// ```swift
/// @Header("X-Trace") var trace: String?
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. A nil Optional is omitted.
@propertyWrapper
public struct Header<Value: Sendable>: Sendable {
    let name: HTTPHeaderName
    private var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameter name: The name of the header field.
    public init(_ name: HTTPHeaderName) {
        self.name = name
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name of the header field.
    public init(wrappedValue: Value, _ name: HTTPHeaderName) {
        self.init(name)
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
