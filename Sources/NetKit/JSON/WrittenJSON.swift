/// A value that was written as JSON at once: it may hold what can't be sent to another task.
struct WrittenJSON: Sendable {
    private let text: Result<[UInt8], Unencodable>

    /// Writes a value.
    ///
    /// - Parameter value: Any value. One without a JSON form is an error only where the text is used.
    init(_ value: Any) {
        text = Result { () throws(Unencodable) in
            var writer = JSONValueWriter()
            // It stands in an object at least.
            try writer.write(any: value, depth: 1)
            return writer.buffer.bytes
        }
    }

    /// Appends the text.
    ///
    /// - Throws: Where in the value something has no JSON form.
    func write(to buffer: inout JSONTextBuffer) throws(Unencodable) {
        buffer.append(json: try text.get())
    }
}
