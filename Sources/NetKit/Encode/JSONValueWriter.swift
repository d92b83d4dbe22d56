import Foundation

/// One pass over a value that writes its JSON text.
struct JSONValueWriter {
    /// As deep as JSONDecoder reads.
    static let maximumDepth = 512

    /// What was written so far.
    var buffer = JSONTextBuffer()

    /// Writes any value that has a JSON form.
    mutating func write(any value: Any, depth: Int) throws(Unencodable) {
        // Exact types first: comparing them is much cheaper than a cast that fails.
        let type = type(of: value)
        if type == String.self, let string = value as? String {
            buffer.append(string: string)
        } else if type == Int.self, let integer = value as? Int {
            buffer.append(json: String(integer))
        } else if type == Bool.self, let bool = value as? Bool {
            buffer.append(json: bool ? "true" : "false")
        } else if type == Double.self, let double = value as? Double {
            try write(float: double)
        } else if type == [String: Any].self, let members = value as? [String: Any] {
            try write(object: members, depth: depth)
        } else if type == [Any].self, let elements = value as? [Any] {
            try write(array: elements, depth: depth)
        } else if type is AnyObject.Type {
            try write(instance: value, depth: depth)
        } else {
            try write(other: value, depth: depth)
        }
    }

    /// Writes an object with its keys sorted.
    mutating func write(object: [String: some Any], depth: Int) throws(Unencodable) {
        guard depth < Self.maximumDepth else { throw Unencodable() }
        buffer.append("{")
        var isFirst = true
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if !isFirst { buffer.append(",") }
            isFirst = false
            buffer.append(string: key)
            buffer.append(":")
            do throws(Unencodable) {
                try write(any: value, depth: depth + 1)
            } catch {
                throw error.inside(key: key)
            }
        }
        buffer.append("}")
    }

    /// Writes an array.
    mutating func write(array: some Sequence<Any>, depth: Int) throws(Unencodable) {
        guard depth < Self.maximumDepth else { throw Unencodable() }
        buffer.append("[")
        for (index, value) in array.enumerated() {
            if index > 0 { buffer.append(",") }
            do throws(Unencodable) {
                try write(any: value, depth: depth + 1)
            } catch {
                throw error.inside(index: index)
            }
        }
        buffer.append("]")
    }

    /// Writes a document.
    mutating func write(_ value: JSONValue, depth: Int) throws(Unencodable) {
        switch value {
        case .null: buffer.append(json: "null")
        case .bool(let bool): buffer.append(json: bool ? "true" : "false")
        case .number(let number): try write(decimal: number)
        case .string(let string): buffer.append(string: string)
        case .array(let elements): try write(array: elements, depth: depth)
        case .object(let members): try write(object: members, depth: depth)
        }
    }

    /// Writes a number that is finite: a whole one without a fraction.
    mutating func write(
        float: some BinaryFloatingPoint & CustomStringConvertible
    ) throws(Unencodable) {
        guard float.isFinite else { throw Unencodable() }
        let text = float.description
        buffer.append(json: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Writes a number with all its digits.
    mutating func write(decimal: Decimal) throws(Unencodable) {
        guard decimal.isFinite else { throw Unencodable() }
        buffer.append(json: decimal.description)
    }
}
