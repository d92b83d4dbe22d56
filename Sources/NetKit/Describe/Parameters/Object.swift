public import Foundation

/// A whole value as the body or the query.
///
/// ```swift
/// @Object(encoding: .json) var todo: Todo
/// ```
///
/// It goes over the request's `body`, and ``RawData`` goes over it. A request with two of them that
/// want the body is refused.
@propertyWrapper
public struct Object<Value: Encodable & Sendable>: Sendable {
    let encoder: JSONEncoder
    let encoding: ParameterEncoding
    private var storage = ParameterStorage<Value>()

    /// Makes an object whose value is set later.
    ///
    /// - Parameters:
    ///   - encoder: Encodes the value, also for a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: Where the value goes. Defaults to a JSON body.
    public init(encoder: JSONEncoder = JSONEncoder(), encoding: ParameterEncoding = .json) {
        self.encoder = encoder
        self.encoding = encoding
    }

    /// Makes an object with a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value.
    ///   - encoder: Encodes the value, also for a form or a query. Defaults to a plain `JSONEncoder`.
    ///   - encoding: Where the value goes. Defaults to a JSON body.
    public init(
        wrappedValue: Value,
        encoder: JSONEncoder = JSONEncoder(),
        encoding: ParameterEncoding = .json
    ) {
        self.init(encoder: encoder, encoding: encoding)
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
