public import Foundation

/// A value that stands in the `params` of a ``RequestBody``.
///
/// Strings, numbers, Booleans, dates, URLs, UUIDs, `Data`, ``JSONValue``, and Optionals, arrays, sets and dictionaries of
/// anything are such values. To put a type of your own beside a nested literal of mixed types, conform it:
/// `extension Color: ParameterValue {}`. A value needs a JSON form, as ``RequestBody`` says.
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
    /// A JSON object whose nested dictionaries and arrays may mix types, without an `as`.
    ///
    /// ```swift
    /// .params(["name": name, "address": ["city": city, "zip": 8004, "tags": ["home", true]]])
    /// ```
    ///
    /// The compiler prefers it where all values are ``ParameterValue``s. Its rules are those of the case of the same name.
    /// In an `async` function the compiler prefers the case: make the body in a synchronous one, such as a request's
    /// initializer.
    ///
    /// - Parameter values: The members.
    /// - Returns: The body.
    public static func params(_ values: [String: any ParameterValue]) -> RequestBody {
        let members: [String: any Sendable] = values.mapValues { value in
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
        return .params(members)
    }
}
