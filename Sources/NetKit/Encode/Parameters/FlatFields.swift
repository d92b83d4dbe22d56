import Foundation

/// Lays a nested value out as names and values: `a[b]=1&c[]=2`.
enum FlatFields {
    /// The fields of a value that encodes as an object, in the order in which it encodes them.
    ///
    /// Numbers are exact; what is nil is left out.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: Its strategies for keys, dates and bytes apply.
    ///   - encoding: How arrays, Booleans, dates and nested names are written.
    /// - Returns: Names and values.
    /// - Throws: ``InvalidRequest`` for a value that is no object.
    static func fields(
        of value: any Encodable,
        encoder: JSONEncoder,
        encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        let fieldEncoder = FieldEncoder(style: FieldStyle(encoder: encoder, encoding: encoding))
        do {
            try fieldEncoder.encode(value)
        } catch EncodingError.invalidValue(let value, let context) {
            throw InvalidRequest(Unencodable(value, at: context.codingPath))
        } catch {
            throw InvalidRequest(.notAForm, "\(type(of: value)) as a form")
        }
        guard let fields = fieldEncoder.tree.fields(encoding) else {
            throw InvalidRequest(.notAForm, "\(type(of: value)) as a form")
        }
        return fields
    }
}
