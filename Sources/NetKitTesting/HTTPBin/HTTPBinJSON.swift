import Foundation
import NetKit

/// JSON text built from pieces of JSON text, so that numbers stay unchanged.
enum HTTPBinJSON {
    /// Returns a quoted and escaped string.
    static func string(_ text: String) -> String { JSONValue.string(text).description }

    /// Returns an array of JSON texts.
    static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    /// Returns an object whose values are JSON texts, in order.
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.name)):\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns an object of strings.
    ///
    /// The values of a repeated name become an array.
    static func object(ofItems items: [(name: String, value: String)]) -> String {
        object(
            Dictionary(grouping: items, by: \.name).sorted { $0.key < $1.key }
                .map { name, items in
                    let values = items.map { string($0.value) }
                    return (name, values.count == 1 ? values[0] : array(values))
                }
        )
    }

    /// Returns the data if it is valid JSON, else `null`.
    static func value(_ data: Data) -> String {
        let parsed = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        // The parser's error doesn't matter here.
        return parsed == nil ? "null" : String(decoding: data, as: UTF8.self)
    }
}
