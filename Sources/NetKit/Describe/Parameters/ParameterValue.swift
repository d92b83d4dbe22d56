public import Foundation

/// A value in the `params` of a ``RequestBody``.
///
/// Strings, numbers, Booleans, dates, URLs, UUIDs, `Data`, ``JSONValue``, and Optionals, arrays, sets and dictionaries of
/// anything conform. To use a custom type in a nested literal of mixed types, add a conformance:
/// `extension Color: ParameterValue {}`. The value must have a JSON form; see ``RequestBody``.
public protocol ParameterValue {}

extension Bool: ParameterValue {}
extension String: ParameterValue {}
extension Substring: ParameterValue {}
extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}
extension Double: ParameterValue {}
extension Float: ParameterValue {}
extension Decimal: ParameterValue {}
extension Date: ParameterValue {}
extension URL: ParameterValue {}
extension UUID: ParameterValue {}
extension Data: ParameterValue {}
extension JSONValue: ParameterValue {}
extension Optional: ParameterValue {}
extension Array: ParameterValue {}
extension Set: ParameterValue {}
extension Dictionary: ParameterValue where Key == String {}

extension RequestBody {
    /// The members of a JSON object.
    ///
    /// A literal can mix types and nest dictionaries and arrays without a cast if all values conform to
    /// ``ParameterValue``:
    ///
    /// ```swift
    /// .params(["name": name, "address": ["city": city, "zip": 8004, "tags": ["home", true]]])
    /// ```
    public struct Parameters: ExpressibleByDictionaryLiteral, Sendable {
        /// The values by name.
        package let values: [String: any Sendable]

        init(_ values: [String: any Sendable]) { self.values = values }

        /// Creates members from a literal.
        ///
        /// Of several values for a name, the last one counts.
        public init(dictionaryLiteral elements: (String, any ParameterValue)...) {
            self.init(elements)
        }

        init(_ elements: [(String, any ParameterValue)]) {
            var values: [String: any Sendable] = [:]
            for (name, value) in elements { values[name] = RequestBody.member(value) }
            self.values = values
        }

        /// The value with a name, or nil without one.
        public subscript(name: String) -> (any Sendable)? { values[name] }
    }

    /// Creates a JSON object from a dictionary with values of one type, by the rules of the case with the same name.
    public static func params<Value: ParameterValue>(_ values: [String: Value]) -> RequestBody {
        .params(Parameters(values.mapValues { member($0) }))
    }

    /// Creates a JSON object from a dictionary with values of any types, by the rules of the case with the same name.
    @_disfavoredOverload
    public static func params(_ values: [String: any Sendable]) -> RequestBody {
        .params(Parameters(values))
    }

    /// Creates a JSON document of an encodable value, by the rules of ``encodable(_:encoder:)``.
    ///
    /// A literal is a ``JSONValue``.
    @_disfavoredOverload
    public static func json(_ value: some Encodable & Sendable) -> RequestBody { .encodable(value) }

    /// Creates form fields from a literal of pairs, in its order.
    public static func form(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        .form(fields.map { ($0.key, $0.value) })
    }

    /// Creates form fields from a dictionary, sorted by name.
    @_disfavoredOverload
    public static func form(_ fields: [String: String]) -> RequestBody {
        .form(fields.sortedByName.map { ($0.0, $0.1) })
    }

    static func member(_ value: any ParameterValue) -> any Sendable {
        switch value {
        case let text as String: text
        case let flag as Bool where type(of: value) == Bool.self: flag
        case let number as Int where type(of: value) == Int.self: number
        case let number as Double where type(of: value) == Double.self: number
        case let date as Date: date
        case let url as URL: url
        case let uuid as UUID: uuid
        case let data as Data: data
        case let decimal as Decimal: decimal
        case let json as JSONValue: json
        default: WrittenJSON(value)
        }
    }
}

extension RequestBody: ExpressibleByDictionaryLiteral {
    /// Creates a JSON object from a literal, by the rules of ``params(_:)-enum.case``.
    public init(dictionaryLiteral elements: (String, any ParameterValue)...) {
        self = .params(Parameters(elements))
    }
}
