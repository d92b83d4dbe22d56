/// The JSON text of a value, written at once because the value may not be `Sendable`.
struct WrittenJSON: Sendable {
    private let text: Result<[UInt8], Unencodable>

    /// Writes a value.
    ///
    /// - Parameter value: Any value. A value without a JSON form is an error only when the text is used.
    init(_ value: Any) {
        text = Result { () throws(Unencodable) in
            var writer = JSONValueWriter()
            // It is at least inside an object.
            try writer.write(any: value, depth: 1)
            return writer.buffer.bytes
        }
    }

    /// Appends the text.
    ///
    /// - Throws: The location of a value without a JSON form.
    func write(to buffer: inout JSONTextBuffer) throws(Unencodable) {
        buffer.append(json: try text.get())
    }
}
