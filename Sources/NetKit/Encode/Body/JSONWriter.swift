package import Foundation

/// Writes Swift values as JSON text (RFC 8259): keys sorted, numbers exact, no white space.
///
/// A whole `Double` is written without a fraction, `1.0` as `1`, as JSONEncoder does; any other float
/// as its shortest text that reads back as the same value.
package enum JSONWriter {
    /// The object that `params` describe.
    ///
    /// - Parameter parameters: The members.
    /// - Returns: The object's text.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(
        fromParameters parameters: [String: any Sendable]
    ) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(object: parameters, depth: 0) }
    }

    /// The JSON of any value that has one.
    ///
    /// - Parameter value: Whatever a Swift user calls JSON; `Optional.none` and `NSNull` are null.
    /// - Returns: The value's text, which may be a scalar's.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(fromAny value: Any) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(any: value, depth: 0) }
    }

    /// The text of a JSON document.
    ///
    /// - Parameter value: The document.
    /// - Returns: Its text.
    /// - Throws: ``InvalidRequest`` with the key path of a number that is not one.
    package static func data(from value: JSONValue) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(value, depth: 0) }
    }

    /// The text of a value as a form or multipart field.
    ///
    /// - Parameters:
    ///   - value: A scalar, whose text has no quotes, or a collection, whose text is JSON.
    ///   - keyPath: Where the value was found, for the error.
    /// - Returns: The text, nil for `Optional.none` and for null.
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
