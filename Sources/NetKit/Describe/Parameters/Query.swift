/// A query parameter with one value or an array of values.
///
/// ```swift
/// @Query("page") var page = 1
/// ```
///
/// A value can be a string, a number, a Boolean, a date (ISO 8601), a UUID, a URL or `Data` (base64).
/// `RawRepresentable` and `CustomStringConvertible` types work too. A nil Optional is omitted.
@propertyWrapper
public struct Query<Value: Sendable>: Sendable {
    let name: String
    let encoding: URLEncoding
    private var storage = ParameterStorage<Value>()

    /// Creates a parameter whose value is set later.
    ///
    /// - Parameter name: The parameter's name in the query.
    public init(_ name: String) {
        self.name = name
        encoding = URLEncoding()
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name in the query.
    public init(wrappedValue: Value, _ name: String) {
        self.init(name)
        storage.value = wrappedValue
    }

    /// Creates a parameter with an encoding, whose value is set later.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in the query.
    ///   - encoding: The format of arrays, Booleans and dates.
    public init(_ name: String, encoding: URLEncoding) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value and an encoding.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The parameter's name in the query.
    ///   - encoding: The format of arrays, Booleans and dates.
    public init(wrappedValue: Value, _ name: String, encoding: URLEncoding) {
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
