/// An Optional, whatever it wraps.
protocol OptionalValue {
    /// Nil, as a value of the type.
    static var nilValue: Any { get }
    /// What is wrapped, if anything.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var nilValue: Any { Self.none as Any }
    var wrapped: Any? { map { $0 as Any } }
}
