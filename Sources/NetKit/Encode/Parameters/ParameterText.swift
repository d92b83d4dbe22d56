import Foundation

/// The text of a parameter's value.
enum ParameterText {
    /// The text of one value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The parameter's name, for the error.
    ///   - encoding: How Booleans and dates are written.
    /// - Returns: The text, nil for an Optional that is nil.
    /// - Throws: ``InvalidRequest`` for a value that has no text, such as an array or a NaN.
    static func text(
        of value: Any,
        named name: String,
        encoding: URLEncoding = URLEncoding()
    ) throws(InvalidRequest) -> String? {
        switch value {
        // The common ones first: a cast to a protocol costs far more than one to a type.
        case let text as String where type(of: value) == String.self: return text
        case let number as Int where type(of: value) == Int.self: return "\(number)"
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return nil }
            return try text(of: wrapped, named: name, encoding: encoding)
        case let text as String: return text
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
        case is any Collection: throw InvalidRequest(.unencodableParameter(name))
        case let describable as any CustomStringConvertible: return describable.description
        default: throw InvalidRequest(.unencodableParameter(name))
        }
    }

    /// The fields that a value makes: several for a collection, none for nil.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The parameter's name.
    ///   - encoding: How arrays, Booleans and dates are written.
    /// - Returns: Names and values, in order.
    /// - Throws: ``InvalidRequest`` for a value that has no text.
    static func fields(
        of value: Any,
        named name: String,
        encoding: URLEncoding
    ) throws(InvalidRequest) -> [(String, String)] {
        if let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else { return [] }
            return try fields(of: wrapped, named: name, encoding: encoding)
        }
        guard let elements = elements(of: value) else {
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

    /// The elements of a collection, nil for a single value.
    ///
    /// Those of a set are sorted by their text.
    private static func elements(of value: Any) -> [Any]? {
        switch value {
        case is any StringProtocol, is Data, is any RangeExpression: nil
        case let set as Set<AnyHashable>: set.map(\.base).ordered { "\($0)" < "\($1)" }
        case let collection as any Collection: Self.array(collection)
        default: nil
        }
    }

    private static func array(_ collection: some Collection) -> [Any] {
        collection.map { $0 }
    }

    private static func scalar(_ value: Any?, named name: String) throws(InvalidRequest) -> String?
    {
        guard let value else { throw InvalidRequest(.unencodableParameter(name)) }
        do throws(InvalidRequest) {
            return try JSONWriter.text(of: value, at: name)
        } catch {
            // A date, for one, that no year holds.
            throw InvalidRequest(.unencodableParameter(name))
        }
    }
}

extension URLEncoding {
    /// The text of a Boolean.
    func text(of flag: Bool) -> String {
        switch booleans {
        case .literal: flag ? "true" : "false"
        case .numeric: flag ? "1" : "0"
        }
    }

    /// What is written for a date: the date itself, or a number.
    func value(of date: Date) -> any Encodable {
        switch dates {
        case .iso8601: date
        case .secondsSince1970: date.timeIntervalSince1970
        case .millisecondsSince1970: date.timeIntervalSince1970 * 1000
        }
    }

    /// The name of a member of an object.
    func name(of member: String, in object: String) -> String {
        switch nesting {
        case .brackets: "\(object)[\(member)]"
        case .dots: "\(object).\(member)"
        }
    }

    /// The fields of an array.
    func fields(named name: String, _ texts: [String]) -> [(String, String)] {
        switch arrays {
        case .brackets: texts.map { ("\(name)[]", $0) }
        case .repeated: texts.map { (name, $0) }
        case .indexed: texts.enumerated().map { ("\(name)[\($0)]", $1) }
        case .comma: texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
    }
}
