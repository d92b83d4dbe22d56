/// A property that does not hold for an input.
package struct Finding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws a ``Finding`` unless a condition holds.
func expect(_ condition: Bool, _ property: @autoclosure () -> String) throws {
    guard condition else { throw Finding(property()) }
}

/// Throws a ``Finding`` unless both are the same.
func expect<Value: Equatable>(
    _ value: Value,
    is other: Value,
    _ property: @autoclosure () -> String
) throws {
    guard value == other else {
        let values = "\(String(reflecting: value)), \(String(reflecting: other))".prefix(2000)
        throw Finding("\(property()): \(values)")
    }
}

/// The value of an expression that may refuse its input, which is no finding.
func accepted<Value>(_ value: @autoclosure () throws -> Value) -> Value? {
    do { return try value() } catch { return nil }
}
