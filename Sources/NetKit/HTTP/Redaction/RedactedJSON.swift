import Foundation

/// Hides values of JSON by the names of their members, and leaves every other byte alone.
///
/// It reads words, not grammar: text that is cut off, that is not quite JSON, and several values in a row are
/// served as well.
struct RedactedJSON {
    private let bytes: [UInt8]
    private let redaction: Redaction
    private var index = 0
    /// What was made so far; everything before `copied` is in it.
    private var result: [UInt8] = []
    private var copied = 0

    /// A text without what `redaction` hides.
    static func data(_ data: Data, by redaction: Redaction) -> Data {
        var json = RedactedJSON(bytes: [UInt8](data), redaction: redaction)
        json.run()
        guard json.copied > 0 else { return data }
        return Data(json.result + json.bytes[json.copied...])
    }

    private init(bytes: [UInt8], redaction: Redaction) {
        self.bytes = bytes
        self.redaction = redaction
    }

    private mutating func run() {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let name = skipString()
            let end = index
            skipWhiteSpace()
            guard current == UInt8(ascii: ":") else {
                index = end
                hide(within: name)
                continue
            }
            index += 1
            skipWhiteSpace()
            let text = Self.text(bytes[name])
            if redaction.hides(bodyField: text) { hideValue(of: text) }
        }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    /// Moves behind the string that begins here.
    ///
    /// - Returns: What stands between its quotes.
    @discardableResult
    private mutating func skipString() -> Range<Int> {
        index += 1
        let start = index
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, bytes.count)
        index = min(index + 1, bytes.count)
        return start..<end
    }

    /// Hides the value that begins here, in its own form: a text is a mark, a number 0, and a container keeps its names.
    ///
    /// What says nothing, as `null` and `true`, stays, and so does a number that counts.
    private mutating func hideValue(of name: String) {
        switch current {
        case UInt8(ascii: "{"), UInt8(ascii: "["): hideLeaves()
        default: hideLeaf(isAmount: SecretNames.suggestsAmount(name))
        }
    }

    private mutating func hideLeaf(isAmount: Bool = false) {
        let start = index
        if current == UInt8(ascii: "\"") {
            skipString()
            return replace(start..<index, with: "\"\(Redaction.mark)\"")
        }
        skipWord()
        guard let first = bytes[start..<index].first else { return }
        let isNumber = first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
        let isSaid = ["null", "true", "false"].contains(Self.text(bytes[start..<index]))
        if !isSaid, !isNumber || !isAmount {
            replace(start..<index, with: isNumber ? "0" : "\"\(Redaction.mark)\"")
        }
    }

    /// Hides everything within the container that begins here, but the names.
    private mutating func hideLeaves() {
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, index) = (depth + 1, index + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, index) = (depth - 1, index + 1)
            case UInt8(ascii: "\""):
                if !skipName() { hideLeaf() }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: hideLeaf()
            }
            if depth == 0 { return }
        }
    }

    /// Moves behind the string that begins here, if it is a name.
    private mutating func skipName() -> Bool {
        let start = index
        skipString()
        let end = index
        skipWhiteSpace()
        let isName = current == UInt8(ascii: ":")
        index = isName ? end : start
        return isName
    }

    private mutating func skipWord() {
        let start = index
        let ends: [UInt8] = Array(",:{}[]\" \t\r\n".utf8)
        while let byte = current, !ends.contains(byte) { index += 1 }
        // Whatever it is, it is something.
        if index == start, index < bytes.count { index += 1 }
    }

    /// Hides what is secret within a string that is no secret itself: an address, or JSON once more.
    private mutating func hide(within string: Range<Int>) {
        let text = Self.text(bytes[string])
        let isAddress = text.contains("://") || text.hasPrefix("/")
        let shown: [UInt8]
        if text.hasPrefix("{") || text.hasPrefix("[") {
            shown = [UInt8](Self.data(Data(text.utf8), by: redaction))
        } else if isAddress, text.utf8.contains(where: { "?#@".utf8.contains($0) }) {
            shown = RedactedAddress(text.utf8, by: redaction).shown
        } else {
            return
        }
        guard !shown.elementsEqual(text.utf8) else { return }
        let quoted = JSONEncoder.withoutEscapingSlashes.text(String(decoding: shown, as: UTF8.self))
        replace(string, with: quoted ?? Redaction.mark)
    }

    private mutating func replace(_ range: Range<Int>, with text: String) {
        result += bytes[copied..<range.lowerBound]
        result += text.utf8
        copied = range.upperBound
    }

    /// A name, or a word, with its escapes resolved.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "\\")) else { return text }
        // What is no string of JSON can be no name that somebody reads.
        return (try? JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8)))?.first
            ?? text
    }
}

extension JSONEncoder {
    fileprivate static var withoutEscapingSlashes: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    /// A text as it stands between the quotes of a JSON string.
    fileprivate func text(_ text: String) -> String? {
        guard let quoted = try? encode([text]) else { return nil }
        return String(decoding: quoted.dropFirst(2).dropLast(2), as: UTF8.self)
    }
}
