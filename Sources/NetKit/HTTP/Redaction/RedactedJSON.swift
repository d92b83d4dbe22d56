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
                hideQuery(in: name)
                continue
            }
            index += 1
            skipWhiteSpace()
            if redaction.hides(bodyField: Self.text(bytes[name])) { hideValue() }
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

    /// Hides the value that begins here; what says nothing, as `null` and `true`, stays.
    private mutating func hideValue() {
        let start = index
        switch current {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        default:
            skipWord()
            guard !["", "null", "true", "false"].contains(Self.text(bytes[start..<index])) else {
                return
            }
        }
        replace(start..<index, with: "\"\(Redaction.mark)\"")
    }

    /// Hides values in the query of a string that is a web address: that of a presigned URL is a key.
    private mutating func hideQuery(in string: Range<Int>) {
        let text = Self.text(bytes[string])
        guard text.hasPrefix("https://") || text.hasPrefix("http://"),
            let start = text.firstIndex(of: "?")
        else { return }
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard start < end else { return }
        let query = text[text.index(after: start)..<end]
        let shown = redaction.shown(pairs: query)
        guard shown != query else { return }
        // Percent-encoded as an address has to be; what else it may have is nothing that JSON knows as a sign.
        let address = "\(text[...start])\(shown)\(text[end...])"
        guard !address.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
            return replace(string, with: Redaction.mark)
        }
        replace(string, with: address)
    }

    private mutating func replace(_ range: Range<Int>, with text: String) {
        result += bytes[copied..<range.lowerBound]
        result += text.utf8
        copied = range.upperBound
    }

    private mutating func skipContainer() {
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return }
        }
    }

    private mutating func skipWord() {
        let ends: [UInt8] = Array(",}] \t\r\n".utf8)
        while let byte = current, !ends.contains(byte) { index += 1 }
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
