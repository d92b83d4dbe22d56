/// A value on the heap, so that its copies, and the frames of `async` functions with them, are one word.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
