import Foundation

/// A growing JSON text in UTF-8: punctuation, literals and escaped strings.
package struct JSONTextBuffer {
    /// The text so far.
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(256)
    }

    /// Appends one ASCII punctuation character.
    mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: character.value))
    }

    /// Appends JSON text.
    mutating func append(json text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends JSON text.
    mutating func append(json text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
    }

    /// Appends a quoted string, and escapes quotes, backslashes and control characters.
    mutating func append(string: some StringProtocol) {
        append("\"")
        var needsEscapes = false
        for byte in string.utf8 where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            needsEscapes = true
            break
        }
        if needsEscapes {
            for byte in string.utf8 { append(escaping: byte) }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        append("\"")
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x22: append(json: "\\\"")
        case 0x5C: append(json: "\\\\")
        case 0x08: append(json: "\\b")
        case 0x09: append(json: "\\t")
        case 0x0A: append(json: "\\n")
        case 0x0C: append(json: "\\f")
        case 0x0D: append(json: "\\r")
        case 0x00..<0x20: append(json: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}

extension JSONTextBuffer {
    /// The text for a form field: a string's content, nil for null, or JSON.
    var fieldText: String? {
        guard bytes.first == 0x22 else {
            let text = String(decoding: bytes, as: UTF8.self)
            return text == "null" ? nil : text
        }
        let content = bytes.dropFirst().dropLast()
        guard content.contains(0x5C) else { return String(decoding: content, as: UTF8.self) }
        // This can't fail, because this buffer or JSONEncoder wrote the string.
        return try? JSONDecoder().decode(String.self, from: Data(bytes))
    }
}
