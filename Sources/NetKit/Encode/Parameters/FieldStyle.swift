import Foundation

/// The strategies of a `JSONEncoder`, applied to fields.
struct FieldStyle {
    let encoder: JSONEncoder
    let encoding: URLEncoding

    /// Returns the content of a scalar, or nil for a value that encodes itself.
    ///
    /// - Throws: `EncodingError` for a number that isn't finite or a date out of range.
    func content(of value: any Encodable, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch value {
        case let text as String: return .text(text)
        case let flag as Bool: return .flag(flag)
        case let date as Date: return try content(of: date, at: path)
        case let data as Data: return try content(of: data, at: path)
        case let number as any BinaryFloatingPoint & Encodable where !Double(number).isFinite:
            return .text(try text(notFinite: Double(number), at: path))
        case is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is URL, is UUID:
            return .text(try text(of: value, at: path))
        default: return nil
        }
    }

    /// Returns a member's name, converted by the encoder's key strategy.
    func name(of key: any CodingKey, at path: [any CodingKey]) -> String {
        switch encoder.keyEncodingStrategy {
        case .useDefaultKeys: return key.stringValue
        case .custom(let convert): return convert(path + [key]).stringValue
        default:
            // Foundation converts keys only while encoding.
            guard let data = try? encoder.encode(SingleMember(key: FieldKey(key.stringValue))),
                let object = try? JSONDecoder().decode([String: Int].self, from: data),
                let name = object.keys.first
            else { return key.stringValue }
            return name
        }
    }

    /// Returns the encoder's custom date strategy, if it has one.
    func customDate(_ value: any Encodable) -> ((FieldEncoder) throws -> Void)? {
        guard let date = value as? Date, case .custom(let encode) = encoder.dateEncodingStrategy
        else { return nil }
        return { try encode(date, $0) }
    }

    private func content(of date: Date, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch encoder.dateEncodingStrategy {
        case .deferredToDate:
            return .text(try text(of: encoding.value(of: date), at: path))
        case .secondsSince1970: return .text(try text(of: date.timeIntervalSince1970, at: path))
        case .millisecondsSince1970:
            return .text(try text(of: date.timeIntervalSince1970 * 1000, at: path))
        case .custom: return nil
        case .iso8601: return .text(try text(of: date, at: path))
        #if canImport(Darwin)
        case .formatted(let formatter): return .text(formatter.string(from: date))
        @unknown default: return .text(try text(of: date, at: path))
        #endif
        }
    }

    private func content(of data: Data, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch encoder.dataEncodingStrategy {
        case .deferredToData:
            return .array(data.map { FieldTree(.text(String($0))) })
        case .custom(let encode):
            let inner = FieldEncoder(style: self, codingPath: path)
            try encode(data, inner)
            return inner.tree.content
        default: return .text(data.base64EncodedString())
        }
    }

    private func text(notFinite number: Double, at path: [any CodingKey]) throws -> String {
        guard
            case .convertToString(let positive, let negative, let notANumber) =
                encoder.nonConformingFloatEncodingStrategy
        else { throw Self.error(number, at: path) }
        return number.isNaN ? notANumber : number > 0 ? positive : negative
    }

    private func text(of value: any Encodable, at path: [any CodingKey]) throws -> String {
        guard let text = try? JSONWriter.text(of: value) else {
            throw Self.error(value, at: path)
        }
        return text
    }

    private static func error(_ value: Any, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "it has no text form"))
    }
}

/// An object with one member, for converting its key.
private struct SingleMember: Encodable {
    let key: FieldKey

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encode(0, forKey: key)
    }
}
