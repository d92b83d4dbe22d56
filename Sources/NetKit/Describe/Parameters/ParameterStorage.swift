/// Storage for a parameter's value, which may be unset.
struct ParameterStorage<Value: Sendable>: Sendable {
    private(set) var stored: Value?

    /// The value; nil for an Optional that was never set.
    ///
    /// A value of any other type must be set before it is read. Sending a request doesn't read an unset value but fails
    /// with a typed error.
    var value: Value {
        get {
            if let stored { return stored }
            if let type = Value.self as? any OptionalValue.Type, let none = type.nilValue as? Value
            {
                return none
            }
            // There is no value to return, and the property can't throw.
            preconditionFailure("a parameter of type \(Value.self) was read before it was set")
        }
        set { stored = newValue }
    }
}
