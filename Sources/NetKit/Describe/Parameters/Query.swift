/// A value, or an array of values, in the query.
///
/// ```swift
/// @Query("page") var page = 1
/// ```
///
/// A value may be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL, `Data` (base64), or a
/// `RawRepresentable` or `CustomStringConvertible` of these. An Optional that is nil is left out.
@propertyWrapper
public struct Query<Value: Sendable>: Sendable {
    let name: String
    let encoding: URLEncoding
    private var storage = ParameterStorage<Value>()

    /// Makes a parameter whose value is set later.
    ///
    /// - Parameter name: The name in the query.
    public init(_ name: String) {
        self.name = name
        encoding = URLEncoding()
    }

    /// Makes a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name in the query.
    public init(wrappedValue: Value, _ name: String) {
        self.init(name)
        storage.value = wrappedValue
    }

    /// Makes a parameter with an encoding, whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - encoding: How arrays and Booleans are written.
    public init(_ name: String, encoding: URLEncoding) {
        self.name = name
        self.encoding = encoding
    }

    /// Makes a parameter with a value and an encoding.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name.
    ///   - encoding: How arrays and Booleans are written.
    public init(wrappedValue: Value, _ name: String, encoding: URLEncoding) {
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
