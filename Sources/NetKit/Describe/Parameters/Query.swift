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
    /// - Parameters:
    ///   - name: The name in the query.
    ///   - encoding: How arrays, Booleans and dates are written. Defaults to that of `URLEncoding()`.
    public init(_ name: String, encoding: URLEncoding = URLEncoding()) {
        self.name = name
        self.encoding = encoding
    }

    /// Creates a parameter with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - name: The name in the query.
    ///   - encoding: How arrays, Booleans and dates are written. Defaults to that of `URLEncoding()`.
    public init(wrappedValue: Value, _ name: String, encoding: URLEncoding = URLEncoding()) {
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
