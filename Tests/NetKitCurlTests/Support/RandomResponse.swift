import Foundation

@testable import NetKitTesting

/// A response that a seed decides, as bytes and as what a client must make of it.
///
/// The same seed gives the same response on every machine and in every run.
struct RandomResponse: Sendable {
    /// What RFC 9112 says about the bytes.
    enum Verdict: Sendable {
        /// The client must read it like this.
        case value(Value)
        /// The client must refuse it.
        case broken
        /// Bytes were changed at random: a value or an error, but one of them.
        case any
    }

    struct Value: Sendable, Equatable {
        let status: Int
        /// The values of each name, in order.
        let fields: [String: [String]]
        let body: [UInt8]
    }

    /// What is wrong with a response.
    enum Defect: CaseIterable, Sendable {
        case lengthTooLong, noLastChunk, chunkCut, chunkSize, chunkTooLong, chunkSizeTooLarge
        case twoLengths, lengthNoNumber, lengthNegative, lengthTooLarge, lengthFolded
        case lengthAndChunked, noVersion, status, spaceBeforeColon, noColon, emptyName
        case nulInValue, loneCR, foldInFront, notCompressed
    }

    let isHead: Bool
    let bytes: [UInt8]
    let verdict: Verdict
    /// Where the bytes are split into writes.
    let cuts: [Int]
    let label: String

    init(seed: UInt64) {
        var random = Randomness(seed: seed)
        var draft = Draft(&random)
        isHead = draft.isHead
        var (bytes, verdict) = (draft.bytes, Verdict.value(draft.value))
        var label = "well-formed"
        switch random.below(10) {
        case 0..<3 where !draft.isHead:
            let defect = Defect.allCases[random.below(Defect.allCases.count)]
            bytes = draft.bytes(with: defect, &random)
            (label, verdict) = ("\(defect)", .broken)
        case 3..<5:
            let place = random.below(bytes.count + 1)
            verdict = draft.verdict(endingAt: place)
            bytes.removeLast(bytes.count - place)
            label = "closed after \(place) of \(draft.bytes.count) bytes"
        case 5:
            for _ in 0...random.below(4) where !bytes.isEmpty {
                let place = random.below(random.below(5) > 0 ? min(bytes.count, 120) : bytes.count)
                let byte = random.element(Array("\0\r\n\t :;,0159aF-\u{7F}".utf8) + [0xFF])
                switch random.below(3) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                default: bytes.remove(at: place)
                }
            }
            (label, verdict) = ("changed", .any)
        default: break
        }
        (self.bytes, self.verdict, self.label) = (bytes, verdict, label)
        cuts = (0..<random.below(4)).map { _ in random.below(bytes.count + 1) }.sorted()
    }
}

/// The choices of a seed.
private struct Randomness {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
    mutating func chance(of number: Int) -> Bool { below(number) == 0 }
    mutating func text(_ characters: String, upTo limit: Int) -> String {
        let characters = Array(characters)
        return String((0..<below(limit + 1)).map { _ in element(characters) })
    }
    mutating func bytes(upTo limit: Int) -> [UInt8] {
        (0..<below(limit + 1)).map { _ in UInt8(below(256)) }
    }
}

/// A well-formed response in its parts.
private struct Draft {
    private enum Framing { case length, chunks, close, none }

    let isHead: Bool
    let value: RandomResponse.Value
    private let framing: Framing
    private let isCompressed: Bool
    private var interim: [UInt8] = []
    private var statusLine: String
    /// The lines of fields without those that frame the body.
    private var lines: [String] = []
    private var framingLines: [String] = []
    private let content: [UInt8]
    private var payload: [UInt8] = []
    private var tail: [UInt8] = []

    private static let visible = String((0x21...0x7E).map { Character(Unicode.Scalar($0)) })
    private static let nameCharacters = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.!#$%&'*+^`|~"

    init(_ random: inout Randomness) {
        let status = random.element([200, 200, 200, 201, 206, 400, 404, 418, 500, 599, 204, 304])
        let hasNoBody = status == 204 || status == 304
        isHead = random.chance(of: 10)
        framing = hasNoBody ? .none : random.element([.length, .length, .chunks, .chunks, .close])
        isCompressed = !hasNoBody && !isHead && random.chance(of: 4)
        let isOld = framing != .chunks && random.chance(of: 8)
        let reason = random.element(["OK", "", "Not Found", random.text(Self.visible, upTo: 9)])
        statusLine = "HTTP/1.\(isOld ? 0 : 1) \(status) \(reason)"
        for _ in 0..<(random.chance(of: 5) ? 1 + random.below(3) : 0) {
            interim += Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8)
        }
        var fields: [String: [String]] = [:]
        for number in 0..<random.below(5) {
            let name = "X-\(number)\(random.text(Self.nameCharacters, upTo: 6))"
            for _ in 0..<random.element([1, 1, 1, 2]) {
                var value = Self.value(&random)
                let spaces = random.element(["", " ", "  ", "\t", " \t "])
                var line = "\(name):\(spaces)\(value)\(random.element(["", " ", "\t "]))"
                if random.chance(of: 8) {
                    let more = Self.value(&random)
                    line += "\r\n\(random.element([" ", "\t", "   "]))\(more)"
                    value = [value, more].filter { !$0.isEmpty }.joined(separator: " ")
                }
                lines.append(line)
                fields[name, default: []].append(value)
            }
        }
        lines.append("Connection: close")
        var body = hasNoBody ? [] : random.bytes(upTo: random.element([0, 20, 300]))
        if random.chance(of: 20), !body.isEmpty {
            body = Array(repeatElement(body, count: 200).joined())
        }
        content = isCompressed ? Array(Gzip.stored(Data(body))) : body
        if isCompressed { framingLines.append("Content-Encoding: gzip") }
        switch framing {
        case .length:
            framingLines.append("Content-Length: \(content.count)")
            payload = content
        case .chunks:
            framingLines.append(
                "\(random.element(["Transfer-Encoding", "transfer-encoding"])): chunked"
            )
            payload = Self.chunks(of: content, &random)
            tail = Array("0\r\n\(random.element(["", "", "X-Trailer: 1\r\n"]))\r\n".utf8)
        case .close: payload = content
        case .none:
            if status == 304, random.chance(of: 2) { framingLines.append("Content-Length: 5") }
        }
        if isHead { (payload, tail) = ([], []) }
        value = .init(status: status, fields: fields, body: isHead ? [] : body)
    }

    private static func value(_ random: inout Randomness) -> String {
        random.text(visible + " \t", upTo: 20).trimmingCharacters(in: .whitespaces)
    }

    private static func chunks(of content: [UInt8], _ random: inout Randomness) -> [UInt8] {
        var (chunks, rest) = ([UInt8](), content[...])
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(rest.count))
            rest = rest.dropFirst(piece.count)
            let digits = String(piece.count, radix: 16, uppercase: random.chance(of: 2))
            let zeros = random.element(["", "", "0", "00"])
            let extra = random.element(["", "", ";a", ";a=b", ";a=\"b c\""])
            chunks += Array("\(zeros)\(digits)\(extra)\r\n".utf8) + piece + [13, 10]
        }
        return chunks
    }

    private var head: [UInt8] {
        Array(([statusLine] + lines + framingLines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    var bytes: [UInt8] { interim + head + payload + tail }

    /// What it is when the connection ends after so many bytes.
    func verdict(endingAt place: Int) -> RandomResponse.Verdict {
        let start = interim.count + head.count
        if place == bytes.count { return .value(value) }
        // libcurl doesn't wait for the last byte of the line that ends the trailers.
        if framing == .chunks, !isHead, place == bytes.count - 1 { return .any }
        guard place >= start, framing == .close, !isHead else { return .broken }
        // libcurl gives what it can decompress of a part, which is a limit that is documented.
        if isCompressed { return .any }
        let part = Array(content.prefix(place - start))
        return .value(.init(status: value.status, fields: value.fields, body: part))
    }

    /// The bytes with a defect, framed anew where it needs another form of body.
    mutating func bytes(with defect: RandomResponse.Defect, _ random: inout Randomness) -> [UInt8] {
        statusLine = statusLine.replacing("HTTP/1.0", with: "HTTP/1.1")
            .replacing(" 204 ", with: " 200 ").replacing(" 304 ", with: " 200 ")
        let content = content.isEmpty || isCompressed ? Array("content".utf8) : content
        let length = ["Content-Length: \(content.count)"]
        let isChunked = ["Transfer-Encoding: chunked"]
        (framingLines, payload, tail) = (length, content, [])
        switch defect {
        case .lengthTooLong:
            framingLines = ["Content-Length: \(content.count + 1 + random.below(100))"]
        case .noLastChunk:
            (framingLines, payload) = (isChunked, Self.chunks(of: content, &random))
        case .chunkCut:
            (framingLines, payload) = (isChunked, Self.chunks(of: content, &random))
            payload.removeLast(3)
        case .chunkSize, .chunkTooLong, .chunkSizeTooLarge:
            framingLines = isChunked
            payload = Self.chunks(of: content, &random)
            let bad =
                switch defect {
                case .chunkSize: random.element(["xyz\r\n", "-1\r\n", "\r\nabc", "g\r\na"])
                case .chunkTooLong: "3\r\nabcdef\r\n"
                default: random.element(["FFFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n"])
                }
            payload += Array("\(bad)0\r\n\r\n".utf8)
        case .twoLengths: framingLines += ["Content-Length: \(content.count + 1)"]
        case .lengthNoNumber:
            let text = random.element(["abc", "1x", "0x10", "1.5", "", "+5", "5 5", "5,6", "5,"])
            framingLines = ["Content-Length: \(text)"]
        case .lengthNegative: framingLines = ["Content-Length: -\(content.count)"]
        case .lengthTooLarge: framingLines = ["Content-Length: 9223372036854775808"]
        case .lengthFolded: framingLines = ["Content-Length: 1\r\n 0"]
        case .lengthAndChunked:
            framingLines = random.chance(of: 2) ? length + isChunked : isChunked + length
            payload = Self.chunks(of: content, &random)
            tail = Array("0\r\n\r\n".utf8)
        case .noVersion:
            statusLine = random.element(["HTTQ/1.1 200 OK", "200 OK", "ICY 200 OK", "HTTP/x.y 200"])
        case .status:
            let status = random.element(["abc", "2x0", "-20", "20", "2000", "000", "099", ""])
            statusLine = "HTTP/1.1 \(status) OK"
        case .spaceBeforeColon: lines.append("X-Space : 1")
        case .noColon: lines.append("no colon")
        case .emptyName: lines.append(": 1")
        case .nulInValue: lines.append("X-NUL: a\0b")
        case .loneCR: lines.append("X-CR: a\rb")
        case .foldInFront: lines.insert(" folded", at: 0)
        case .notCompressed:
            framingLines.append("Content-Encoding: gzip")
            payload = [0] + content
            framingLines[0] = "Content-Length: \(payload.count)"
        }
        return interim + head + payload + tail
    }
}
