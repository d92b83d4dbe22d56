public import Foundation

/// A value that is encoded as the body or as query items.
///
/// ```swift
/// @Object(encoding: .json) var todo: Todo
/// ```
///
/// It overrides the request's `body`, and ``RawData`` overrides it. A request with two objects for the body is refused.
@propertyWrapper
public struct Object<Value: Encodable & Sendable>: Sendable {
    let encoder: JSONEncoder
    let encoding: ParameterEncoding
    /// Whether the fields of a form are query parameters of a GET, HEAD or DELETE request.
    package var followsMethod = false
    private var storage = ParameterStorage<Value>()

    /// Creates an object whose value is set later.
    ///
    /// - Parameters:
    ///   - encoder: The encoder for the value, also for a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: The destination and format of the value. Defaults to a JSON body.
    public init(encoder: JSONEncoder = JSONEncoder(), encoding: ParameterEncoding = .json) {
        self.encoder = encoder
        self.encoding = encoding
    }

    /// Creates an object with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - encoder: The encoder for the value, also for a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: The destination and format of the value. Defaults to a JSON body.
    public init(
        wrappedValue: Value,
        encoder: JSONEncoder = JSONEncoder(),
        encoding: ParameterEncoding = .json
    ) {
        self.init(encoder: encoder, encoding: encoding)
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
