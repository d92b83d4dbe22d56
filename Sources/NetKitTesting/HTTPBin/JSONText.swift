import Foundation

/// JSON text put together from pieces that are JSON text already, so that numbers stay as they are.
enum JSONText {
    /// A string with its quotes and escapes.
    static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// An array of what is JSON text.
    static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    /// An object whose values are JSON text, in the order given.
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.name)):\($0.value)" }.joined(separator: ",") + "}"
    }

    /// An object of strings; a name that comes several times has an array of them.
    static func object(ofItems items: [(name: String, value: String)]) -> String {
        object(
            Dictionary(grouping: items, by: \.name).sorted { $0.key < $1.key }
                .map { name, items in
                    let values = items.map { string($0.value) }
                    return (name, values.count == 1 ? values[0] : array(values))
                }
        )
    }

    /// The data as it is if it is a JSON text of any kind, `null` otherwise.
    static func value(_ data: Data) -> String {
        let parsed = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        // Why the data is no JSON does not matter here.
        return parsed == nil ? "null" : String(decoding: data, as: UTF8.self)
    }
}
