/// A value in a header field, over one of the same name in `headers`.
///
/// ```swift
/// @Header("X-Trace") var trace: String?
/// ```
///
/// A value may be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL, `Data` (base64), or a
/// `RawRepresentable` or `CustomStringConvertible` of these. An Optional that is nil is left out.
@propertyWrapper
public struct Header<Value: Sendable>: Sendable {
    let name: HTTPHeaderName
    private var storage = ParameterStorage<Value>()

    /// Makes a parameter whose value is set later.
    ///
    /// - Parameter name: The field's name.
    public init(_ name: HTTPHeaderName) {
        self.name = name
    }

    /// Makes a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The field's name.
    public init(wrappedValue: Value, _ name: HTTPHeaderName) {
        self.init(name)
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
