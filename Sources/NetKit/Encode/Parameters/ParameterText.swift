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
    /// - Returns: The text, or nil for a nil Optional.
    /// - Throws: ``InvalidRequest`` for a value without a text form, such as an array or NaN.
    static func text(
        of value: Any,
        named name: String,
        encoding: URLEncoding = URLEncoding()
    ) throws(InvalidRequest) -> String? {
        switch value {
        // Common types first, because a cast to a protocol is much slower than one to a type.
        case let text as String where type(of: value) == String.self: return text
        case let number as Int where type(of: value) == Int.self: return "\(number)"
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return nil }
            return try text(of: wrapped, named: name, encoding: encoding)
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
            return try text(of: raw.rawValue, named: name, encoding: encoding)
        // JSON's description is its text as a document, in which a string has quotes.
        case is any Collection, is JSONValue: throw InvalidRequest(.unencodableParameter(name))
        case let describable as any CustomStringConvertible: return describable.description
        default: throw InvalidRequest(.unencodableParameter(name))
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
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return [] }
            return try fields(of: wrapped, named: name, encoding: encoding)
        }
        guard let elements = CollectionValue.elements(of: value) else {
            let text = try text(of: value, named: name, encoding: encoding)
            return text.map { [(name, $0)] } ?? []
        }
        var texts: [String] = []
        for element in elements {
            let text = try text(of: element, named: name, encoding: encoding)
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

extension [(String, String)] {
    /// Creates query parameters, or the fields of a form, from a dictionary, sorted by key and without nil values.
    ///
    /// ```swift
    /// let queryParams: [(String, String)] = .init(["page": 2, "tags": ["a", "b"], "since": nil])
    /// // page=2&tags[]=a&tags[]=b
    /// ```
    ///
    /// - Parameters:
    ///   - dictionary: The values: numbers, Booleans, dates, text, enums with raw values, and arrays and dictionaries
    ///     of these. The text of any other value is its description.
    ///   - encoding: The format of arrays, Booleans, dates and nested names. Defaults to brackets, literals and ISO
    ///     8601.
    public init(
        _ dictionary: [String: (any Sendable)?],
        encoding: URLEncoding = URLEncoding()
    ) {
        self = Self.fields(of: dictionary.sortedByName, encoding)
    }

    /// Creates the query parameters of a literal, in its order and without nil values.
    init(_ pairs: KeyValuePairs<String, (any Sendable)?>) {
        self = Self.fields(of: pairs, URLEncoding())
    }

    private static func fields(
        of pairs: some Sequence<(key: String, value: (any Sendable)?)>,
        _ encoding: URLEncoding
    ) -> [(String, String)] {
        pairs.flatMap { name, value in
            value.map { fields(of: $0, named: name, encoding) } ?? []
        }
    }

    private static func fields(
        of value: Any,
        named name: String,
        _ encoding: URLEncoding
    ) -> [(String, String)] {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return [] }
            return fields(of: wrapped, named: name, encoding)
        }
        if let dictionary = value as? [String: Any] {
            return dictionary.sortedByName
                .flatMap { key, value in
                    fields(of: value, named: encoding.name(of: key, in: name), encoding)
                }
        }
        do throws(InvalidRequest) {
            return try ParameterText.fields(of: value, named: name, encoding: encoding)
        } catch {
            if let elements = CollectionValue.elements(of: value),
                elements.contains(where: { isNested($0) })
            {
                // As in the fields of an object.
                return elements.enumerated()
                    .flatMap { fields(of: $1, named: "\(name)[\($0)]", encoding) }
            }
            return [(name, String(describing: value))]
        }
    }

    private static func isNested(_ value: Any) -> Bool {
        value is [String: Any] || CollectionValue.elements(of: value) != nil
    }
}
