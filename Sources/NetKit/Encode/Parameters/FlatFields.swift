import Foundation

/// Lays a nested value out as names and values: `a[b]=1&c[]=2`.
enum FlatFields {
    /// The fields of a value that encodes as a JSON object; keys sorted, numbers exact, null left out.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: Encodes it.
    ///   - encoding: How arrays and Booleans are written.
    /// - Returns: Names and values.
    /// - Throws: ``InvalidRequest`` for a value that is no object.
    static func fields(
        of value: any Encodable,
        encoder: JSONEncoder,
        encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        let data = try BodyEncoder.encode(value, with: encoder)
        guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: data)
        else {
            throw InvalidRequest(.unencodableBody("\(type(of: value)) as a form"))
        }
        return members.sorted { $0.key < $1.key }
            .flatMap { key, value in
                fields(of: value, named: key, encoding)
            }
    }

    private static func fields(
        of value: JSONValue,
        named name: String,
        _ encoding: URLEncoding
    ) -> [(String, String)] {
        switch value {
        case .null: return []
        case .bool(let flag): return [(name, encoding.text(of: flag))]
        case .number(let number): return [(name, "\(number)")]
        case .string(let text): return [(name, text)]
        case .object(let members):
            return members.sorted { $0.key < $1.key }
                .flatMap { key, value in
                    fields(of: value, named: "\(name)[\(key)]", encoding)
                }
        case .array(let elements):
            let texts = elements.compactMap { $0.scalarText(encoding) }
            if texts.count == elements.count { return encoding.fields(named: name, texts) }
            return elements.enumerated()
                .flatMap { index, element in
                    fields(of: element, named: "\(name)[\(index)]", encoding)
                }
        }
    }
}

extension URLEncoding {
    fileprivate func text(of flag: Bool) -> String {
        switch booleans {
        case .literal: flag ? "true" : "false"
        case .numeric: flag ? "1" : "0"
        }
    }
}

extension JSONValue {
    /// The text of a scalar, nil for anything else.
    fileprivate func scalarText(_ encoding: URLEncoding) -> String? {
        switch self {
        case .bool(let flag): encoding.text(of: flag)
        case .number(let number): "\(number)"
        case .string(let text): text
        case .null, .array, .object: nil
        }
    }
}
