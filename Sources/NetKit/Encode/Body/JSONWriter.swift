package import Foundation

/// A writer of compact JSON (RFC 8259) with sorted keys and exact numbers.
///
/// A whole `Double` is written without a fraction, `1.0` as `1`, as JSONEncoder does. Any other float is written as the
/// shortest text that reads back as the same value.
package enum JSONWriter {
    /// Encodes a dictionary as a JSON object.
    ///
    /// - Parameter parameters: The members.
    /// - Returns: The JSON text.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(
        fromParameters parameters: [String: any Sendable]
    ) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(object: parameters, depth: 0) }
    }

    /// Encodes any value that has a JSON form.
    ///
    /// - Parameter value: The value. `Optional.none` and `NSNull` become null.
    /// - Returns: The JSON text, which can be a scalar.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(fromAny value: Any) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(any: value, depth: 0) }
    }

    /// Encodes a JSON document.
    ///
    /// - Parameter value: The document.
    /// - Returns: The JSON text.
    /// - Throws: ``InvalidRequest`` with the key path of a number that isn't finite.
    package static func data(from value: JSONValue) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(value, depth: 0) }
    }

    /// Encodes a value as the text of a form or multipart field.
    ///
    /// - Parameters:
    ///   - value: The value. A scalar is written without quotes, a collection as JSON.
    ///   - keyPath: The key path of the value, for the error. Defaults to an empty path.
    /// - Returns: The text, or nil for `Optional.none` and null.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func text(
        of value: Any,
        at keyPath: String = ""
    ) throws(InvalidRequest) -> String? {
        var writer = JSONValueWriter()
        do throws(Unencodable) {
            try writer.write(any: value, depth: 0)
        } catch {
            throw InvalidRequest(error, below: keyPath)
        }
        return writer.buffer.fieldText
    }

    private static func text(
        _ write: (inout JSONValueWriter) throws(Unencodable) -> Void
    ) throws(InvalidRequest) -> Data {
        var writer = JSONValueWriter()
        do throws(Unencodable) {
            try write(&writer)
        } catch {
            throw InvalidRequest(error)
        }
        return Data(writer.buffer.bytes)
    }
}
