import Foundation

/// One line of JSON, its keys in a fixed order.
struct JSONLine {
    private var members: [String] = []

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ key: String, _ text: String) {
        members.append("\"\(key)\":\"\(text)\"")
    }

    mutating func add(_ key: String, _ number: Int) {
        members.append("\"\(key)\":\(number)")
    }

    mutating func add(_ key: String, _ number: Double?, decimals: Int) {
        let text = number.map { String(format: "%.\(decimals)f", $0) } ?? "null"
        members.append("\"\(key)\":\(text)")
    }

    mutating func add(_ key: String, _ flag: Bool?) {
        members.append("\"\(key)\":\(flag.map { "\($0)" } ?? "null")")
    }
}
