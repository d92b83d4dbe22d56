/// An Optional, whatever it wraps.
protocol OptionalValue {
    /// Nil, as a value of the type.
    static var nilValue: Any { get }
    /// The type of what is wrapped.
    static var wrappedType: Any.Type { get }
    /// What is wrapped, if anything.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var nilValue: Any { Self.none as Any }
    static var wrappedType: Any.Type { Wrapped.self }
    var wrapped: Any? { map { $0 as Any } }
}
