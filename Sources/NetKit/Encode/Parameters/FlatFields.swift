import Foundation
import NetKitSupport

/// A converter of nested values into names and values: `a[b]=1&c[]=2`.
enum FlatFields {
    /// Encodes an object as fields, in encoding order.
    ///
    /// Numbers are exact, and nil values are omitted.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder whose strategies for keys, dates and data apply.
    ///   - encoding: The format of arrays, Booleans, dates and nested names.
    /// - Returns: Names and values.
    /// - Throws: ``InvalidRequest`` for a value that isn't an object or can't be encoded.
    static func fields(
        of value: any Encodable,
        encoder: JSONEncoder,
        encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        let fieldEncoder = FieldEncoder(encoder: encoder, rules: encoding)
        do {
            try fieldEncoder.encode(value)
        } catch EncodingError.invalidValue(let value, let context) {
            throw InvalidRequest(Unencodable(value, at: context.codingPath))
        } catch {
            throw InvalidRequest(.notAForm, "\(type(of: value)) has no member names")
        }
        guard let fields = fieldEncoder.fields else {
            throw InvalidRequest(.notAForm, "\(type(of: value)) has no member names")
        }
        return fields
    }
}
