package import Foundation
import NetKitSupport

/// A converter of parameter values into text.
enum ParameterText {
    /// Returns the text of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The parameter's name, for the error.
    ///   - encoding: The format of Booleans and dates. Defaults to literals and ISO 8601.
    ///   - advice: What to write for a value without a text form, for the error.
    /// - Returns: The text, or nil for a nil Optional.
    /// - Throws: ``InvalidRequest`` for a value without a text form, such as an array or NaN.
    static func text(
        of value: Any,
        named name: String,
        encoding: URLEncoding = URLEncoding(),
        advice: String = "write its text, as a String"
    ) throws(InvalidRequest) -> String? {
        switch value {
        // Common types first, because a cast to a protocol is much slower than one to a type.
        case let text as String where type(of: value) == String.self: return text
        case let number as Int where type(of: value) == Int.self: return "\(number)"
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return nil }
            return try text(of: wrapped, named: name, encoding: encoding, advice: advice)
        case let flag as Bool where type(of: value) == Bool.self:
            return encoding.text(of: flag)
        case let number as any BinaryInteger: return "\(number)"
        case let number as any BinaryFloatingPoint & CustomStringConvertible:
            return try scalar(Double(number).isFinite ? value : nil, named: name)
        case let date as Date: return try scalar(encoding.value(of: date), named: name)
        case is Decimal, is URL, is UUID, is Data:
            return try scalar(value, named: name)
        case let text as any StringProtocol: return String(text)
        case let raw as any RawRepresentable:
            return try text(of: raw.rawValue, named: name, encoding: encoding, advice: advice)
        case let json as JSONValue:
            guard let scalar = json.scalar else {
                throw InvalidRequest(.unencodableParameter(name))
            }
            return try text(of: scalar, named: name, encoding: encoding, advice: advice)
        case let describable as any CustomStringConvertible where !(value is any Collection):
            return describable.description
        default:
            throw InvalidRequest(.unencodableParameter(name), advice)
        }
    }

    /// Returns the fields of a value: several for a collection, none for nil.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The parameter's name.
    ///   - encoding: The format of arrays, Booleans and dates.
    /// - Returns: Names and values, in order.
    /// - Throws: ``InvalidRequest`` for a value without a text form.
    static func fields(
        of value: Any,
        named name: String,
        encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        guard let value = Unwrapped.value(value) else { return [] }
        let advice = "write @Object(encoding: .query())"
        guard let elements = CollectionValue.elements(of: value) else {
            let text = try text(of: value, named: name, encoding: encoding, advice: advice)
            return text.map { [(name, $0)] } ?? []
        }
        var texts: [String] = []
        for element in elements {
            let text = try text(of: element, named: name, encoding: encoding, advice: advice)
            if let text { texts.append(text) }
        }
        return encoding.fields(named: name, texts)
    }

    private static func scalar(_ value: Any?, named name: String) throws(InvalidRequest) -> String?
    {
        guard let value else { throw InvalidRequest(.unencodableParameter(name)) }
        do throws(InvalidRequest) {
            return try JSONWriter.text(of: value, at: name)
        } catch {
            // For example, a date outside the years 0 to 9999.
            throw InvalidRequest(.unencodableParameter(name))
        }
    }
}

extension URLEncoding: FieldRules {
    package func text(of flag: Bool) -> String {
        switch booleans {
        case .literal: flag ? "true" : "false"
        case .numeric: flag ? "1" : "0"
        }
    }

    package func value(of date: Date) -> any Encodable {
        switch dates {
        case .iso8601: date
        case .secondsSince1970: date.timeIntervalSince1970
        case .millisecondsSince1970: (date.timeIntervalSince1970 * 1000).rounded()
        }
    }

    package func name(of member: String, in object: String) -> String {
        switch nesting {
        case .brackets: "\(object)[\(member)]"
        case .dots: "\(object).\(member)"
        }
    }

    package func fields(named name: String, _ texts: [String]) -> [(String, String)] {
        switch arrays {
        case .brackets: texts.map { ("\(name)[]", $0) }
        case .repeated: texts.map { (name, $0) }
        case .indexed: texts.enumerated().map { ("\(name)[\($0)]", $1) }
        case .comma: texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
    }
}

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
            if let fields = fieldEncoder.fields { return fields }
        } catch EncodingError.invalidValue(let value, let context) {
            throw InvalidRequest(Unencodable(value, at: context.codingPath))
        } catch {
            // An encoding of the user's own may throw anything.
            throw InvalidRequest(Unencodable(value, because: error))
        }
        throw InvalidRequest(.notAForm, "\(type(of: value)) has no member names")
    }
}

extension [(String, String)] {
    /// Creates query parameters, or the fields of a form, from a dictionary, sorted by key and without nil values.
    ///
    /// ```swift
    /// let queryParams: [(String, String)] = .init(["page": 2, "tags": ["a", "b"], "since": nil])
    /// // page=2&tags[]=a&tags[]=b
    /// ```
    ///
    /// - Parameters:
    ///   - dictionary: The values: numbers, Booleans, dates, text, enums with raw values, encodable values, and arrays
    ///     and dictionaries of these. The text of any other value is its description.
    ///   - encoding: The format of arrays, Booleans, dates and nested names. Defaults to brackets, literals and ISO
    ///     8601.
    public init(_ dictionary: [String: (any Sendable)?], encoding: URLEncoding = URLEncoding()) {
        self.init(dictionary.sortedByName, encoding)
    }

    /// Creates fields by the rules of ``init(_:encoding:)``, in the given order.
    init<Value>(_ pairs: some Sequence<(key: String, value: Value)>, _ encoding: URLEncoding) {
        // Doesn't throw.
        self = (try? Self.fields(of: pairs, encoding, isStrict: false)) ?? []
    }

    /// Creates the query parameters of a literal, in its order and without nil values.
    ///
    /// - Throws: ``InvalidRequest`` for a value without a text form.
    init(_ pairs: KeyValuePairs<String, (any Sendable)?>) throws(InvalidRequest) {
        self = try Self.fields(of: pairs, URLEncoding(), isStrict: true)
    }

    private static func fields<Value>(
        of pairs: some Sequence<(key: String, value: Value)>,
        _ encoding: URLEncoding,
        isStrict: Bool
    ) throws(InvalidRequest) -> [(String, String)] {
        var fields: [(String, String)] = []
        for (name, value) in pairs {
            fields += try Self.fields(of: value, named: name, encoding, isStrict: isStrict)
        }
        return fields
    }

    private static func fields(
        of value: Any,
        named name: String,
        _ encoding: URLEncoding,
        isStrict: Bool
    ) throws(InvalidRequest) -> [(String, String)] {
        guard let value = Unwrapped.value(value) else { return [] }
        switch value as? JSONValue {
        case .object(let members):
            return try fields(of: members, named: name, encoding, isStrict: isStrict)
        case .array(let elements):
            return try fields(of: elements, named: name, encoding, isStrict: isStrict)
        default: break
        }
        if let dictionary = value as? [String: Any] {
            let members = dictionary.sortedByName
                .map { (key: encoding.name(of: $0, in: name), value: $1) }
            return try fields(of: members, encoding, isStrict: isStrict)
        }
        do throws(InvalidRequest) {
            return try ParameterText.fields(of: value, named: name, encoding: encoding)
        } catch {
            if let elements = CollectionValue.elements(of: value),
                elements.contains(where: { isNested($0) })
            {
                // As in the fields of an object.
                let numbered = elements.enumerated().map { (key: "\(name)[\($0)]", value: $1) }
                return try fields(of: numbered, encoding, isStrict: isStrict)
            }
            if let fields = members(of: value, named: name, encoding) { return fields }
            if isStrict { throw error }
            return [(name, String(describing: value))]
        }
    }

    /// The fields of an encodable value, with the name in front.
    ///
    /// Nil for any other value, and for one that can't be encoded.
    private static func members(
        of value: Any,
        named name: String,
        _ encoding: URLEncoding
    ) -> [(String, String)]? {
        guard let value = value as? any Encodable, let key = FieldKey(stringValue: name) else {
            return nil
        }
        let encoder = FieldEncoder(encoder: JSONEncoder(), rules: encoding)
        var container = encoder.container(keyedBy: FieldKey.self)
        guard (try? container.encode(value, forKey: key)) != nil else { return nil }
        return encoder.fields
    }

    private static func isNested(_ value: Any) -> Bool {
        if let json = value as? JSONValue { return json.scalar == nil }
        return value is [String: Any] || CollectionValue.elements(of: value) != nil
            || value is any Encodable && !(value is any CustomStringConvertible)
    }
}

extension JSONValue {
    /// The value of a scalar, in which `null` is a nil Optional, or nil for an array or an object.
    fileprivate var scalar: Any? {
        switch self {
        case .null: .some(Optional<String>.none as Any)
        case .bool(let flag): flag
        case .number(let number): number
        case .string(let text): text
        case .array, .object: nil
        }
    }
}
