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
    /// Creates a JSON object with nested dictionaries and arrays of mixed types.
    ///
    /// ```swift
    /// .params(["name": name, "address": ["city": city, "zip": 8004, "tags": ["home", true]]])
    /// ```
    ///
    /// Nested literals need no `as [String: any Sendable]` if all values conform to ``ParameterValue``. The values follow the
    /// rules of the case with the same name.
    // A closure rather than a method: in an async function, the compiler ranks a synchronous method below the case.
    public static var params: @Sendable ([String: any ParameterValue]) -> RequestBody {
        { values in
            let members: [String: any Sendable] = values.mapValues { member($0) }
            return .params(members)
        }
    }

    private static func member(_ value: any ParameterValue) -> any Sendable {
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
