/// The header fields of a multipart part, as far as redaction needs them.
struct PartHead {
    /// The names of the fields, and the ranges of their values.
    private(set) var fields: [(name: HTTPHeaderName, value: Range<Int>)] = []
    /// Every decoded reading of the part's name, because servers parse it differently.
    private(set) var names: [[UInt8]] = []
    /// Whether the part has a file name.
    private(set) var isFile = false
    /// The start of the content.
    private(set) var end: Int

    /// Parses the head of a part.
    ///
    /// Nil if there is none.
    init?(_ part: ArraySlice<UInt8>) {
        end = part.startIndex
        while end < part.endIndex {
            guard let lineEnd = part[end...].firstIndex(of: 0x0A) else { return nil }
            let line = part[end..<lineEnd]
            let start = end
            end = lineEnd + 1
            if line.allSatisfy({ $0 == 0x0D }) {
                readNames(in: part)
                return
            }
            if line.first == 0x20 || line.first == 0x09 {
                // A folded line continues the previous one (RFC 5322, section 2.2.3).
                guard let last = fields.indices.last else { return nil }
                fields[last].value = fields[last].value.lowerBound..<Self.textEnd(of: line)
            } else {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > start else {
                    return nil
                }
                let name = String(decoding: part[start..<colon], as: UTF8.self)
                let value = part[(colon + 1)..<Self.textEnd(of: line)].drop { $0.isBlank }
                fields.append((HTTPHeaderName(name.filter { $0 != " " }), value.indices))
            }
        }
        return nil
    }

    private static func textEnd(of line: ArraySlice<UInt8>) -> Int {
        line.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? line.startIndex
    }

    /// Reads `name`, `name*` (RFC 8187), and `name*0` with its continuations (RFC 2231).
    private mutating func readNames(in part: ArraySlice<UInt8>) {
        for field in fields where field.name == "Content-Disposition" {
            var pieces: [UInt8] = []
            for parameter in Self.parameters(of: part[field.value]) {
                guard let sign = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let key = parameter[..<sign].filter { !$0.isBlank }.map { $0 | 0x20 }
                if key.starts(with: "filename".utf8) { isFile = true }
                guard key.starts(with: "name".utf8),
                    key.count == 4 || key[4] == UInt8(ascii: "*")
                else { continue }
                let value = Self.unquoted(parameter[(sign + 1)...])
                let decoded = FormFields.decoded(value[...], plusIsSpace: false)
                let text = decoded.lastIndex(of: UInt8(ascii: "'")).map { decoded[($0 + 1)...] }
                names += [value, decoded] + (key.count > 4 ? text.map { [Array($0)] } ?? [] : [])
                pieces += text.map(Array.init) ?? decoded
            }
            names.append(pieces)
        }
    }

    /// Splits a value at semicolons outside quotes.
    static func parameters(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        return value.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
    }

    /// Removes quotes and backslashes, which not all senders mean as escapes.
    static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let text = value.drop { $0.isBlank }
        let end = text.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? text.startIndex
        return text[..<end].filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
