/// The value of a parameter, which need not have been set.
struct ParameterStorage<Value: Sendable>: Sendable {
    private(set) var stored: Value?

    /// The value; an Optional that was never set is nil.
    ///
    /// Like any other property without a default, one that is not Optional has to be set before it is
    /// read. Sending a request whose parameter was never set does not read it: that is a typed error.
    var value: Value {
        get {
            if let stored { return stored }
            if let type = Value.self as? any OptionalValue.Type, let none = type.nilValue as? Value
            {
                return none
            }
            // There is no value of this type to give, and no error to throw from a property.
            preconditionFailure("a parameter of type \(Value.self) was read before it was set")
        }
        set { stored = newValue }
    }
}
