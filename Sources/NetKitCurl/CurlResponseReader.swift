internal import Foundation
internal import NetKit
import NetKitSupport

/// A reader of the lines of a response's heads, as libcurl passes them.
///
/// libcurl forgives more than the other engines. This reader refuses what they refuse: fields that are none, lengths that
/// contradict each other, and heads without a bound.
struct CurlResponseReader {
    /// What a line means.
    enum Verdict {
        case more
        /// The final head is complete: ``CurlResponseReader/head``.
        case head
        /// The response isn't valid HTTP; the reason is for people.
        case refused(String)
    }

    /// The maximum size of all heads of a response and its trailers, in bytes.
    private static let maximumSize = 512 << 10

    /// Whether the final head was read.
    private(set) var hasHead = false
    private var status = 0
    private var builder = CurlFields.Builder()
    private var headers = HTTPHeaders()
    private var length: Int64?
    private var hasTransferCoding = false
    /// Whether a field was read, also of an informational head.
    private(set) var hasField = false
    /// Whether the next line may continue the last field.
    private var isFoldable = false
    private var size = 0

    /// Whether a line was read.
    var hasBegun: Bool { size > 0 }

    /// The final head, once it is complete.
    var head: ResponseHead { ResponseHead(status: HTTPStatus(rawValue: status), headers: headers) }

    /// The length of the body as libcurl passes it, if the final head says it.
    private var bodyLength: Int64? {
        guard hasHead else { return nil }
        if status == 204 || status == 304 { return 0 }
        return headers[.contentEncoding] == nil ? length : nil
    }

    /// Whether the final head and this many bytes are the whole response, as far as its head says it.
    func isComplete(after count: Int64) -> Bool { bodyLength == count }

    /// Whether the final head says that there are more bytes than this many.
    func isShort(after count: Int64) -> Bool { bodyLength.map { count < $0 } ?? false }

    /// Reads the next line, with its line ending.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Verdict {
        size += line.count
        guard size <= Self.maximumSize else { return .refused("its head is too large") }
        // Trailers.
        guard !hasHead else { return .more }
        let text = line.withoutLineEnding
        // From libcurl 8.21 on, the last line of a connection may lack its end.
        if text.isEmpty { return line.last == 0x0A ? end() : .more }
        if status == 0, text.starts(with: Self.statusMark) { return begin(text) }
        return field(text)
    }

    private static let statusMark = Array("HTTP/".utf8)

    /// Reads a status line, such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Verdict {
        (builder, length, hasTransferCoding) = (CurlFields.Builder(), nil, false)
        isFoldable = false
        guard Self.isVersion(line.dropFirst(Self.statusMark.count).prefix { $0 != 0x20 }) else {
            return .refused("its status line has no version of HTTP")
        }
        guard let space = line.firstIndex(of: 0x20) else {
            return .refused("its status line has no status")
        }
        let digits = line[line.index(after: space)...].prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return .refused("its status is not a number from 100 to 999")
        }
        status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { return .refused("its status is not a number from 100 to 999") }
        return .more
    }

    /// Whether the bytes are a version, such as `1.1` or `2`.
    private static func isVersion(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard bytes.count == 1 || bytes.count == 3 else { return false }
        return bytes.enumerated()
            .allSatisfy { $0 == 1 ? $1 == 0x2E : (0x30...0x39).contains($1) }
    }

    private mutating func field(_ line: UnsafeRawBufferPointer) -> Verdict {
        if line.first == 0x20 || line.first == 0x09 { return fold(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return Self.noField }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        guard HTTPToken.allows(name) else { return Self.noField }
        let place = line.withoutBlanks(from: colon + 1)
        let value = UnsafeRawBufferPointer(rebasing: line[place])
        guard Self.isValue(value) else { return Self.noValue }
        guard !CombiningMarks.areTooMany(in: value) else { return Self.tooManyMarks }
        isFoldable = true
        // Of most names, the length alone says that they are none of these.
        switch name.count {
        case 14 where HTTPHeaderName.contentLength.folded.matches(name):
            guard note(length: value) else {
                return .refused("its lengths contradict each other (RFC 9112, section 6.3)")
            }
            isFoldable = false
        case 16 where HTTPHeaderName.contentEncoding.folded.matches(name): isFoldable = false
        case 17 where HTTPHeaderName.transferEncoding.folded.matches(name):
            (hasTransferCoding, isFoldable) = (true, false)
        default: break
        }
        builder.append(line, nameEnd: colon, value: place)
        hasField = true
        return .more
    }

    /// Reads a line that continues the value before it.
    ///
    /// libcurl takes each line by itself, so one that tells the form of the body must not be continued.
    private mutating func fold(_ line: UnsafeRawBufferPointer) -> Verdict {
        if let reason = refusalToFold(line) { return .refused(reason) }
        let value = line.trimmedOfBlanks
        guard Self.isValue(value) else { return Self.noValue }
        guard !CombiningMarks.areTooMany(in: value) else { return Self.tooManyMarks }
        builder.continue(value)
        return .more
    }

    /// Why the next line can't continue the one before it; nil if it can, or doesn't.
    func refusalToFold(_ line: UnsafeRawBufferPointer) -> String? {
        guard line.first == 0x20 || line.first == 0x09, !isFoldable else { return nil }
        return "it has a folded field (RFC 9112, section 5.2)"
    }

    private static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.contains { $0 == 0x0D || $0 == 0 }
    }

    private static let noValue = Verdict.refused("the value of a field has a control character")
    private static let tooManyMarks = Verdict.refused(CombiningMarks.problemOfField)
    private static let noField = Verdict.refused(
        "it has a line that is no field (RFC 9112, section 5)"
    )

    /// Reads a length, or a list of equal ones, and compares it with earlier ones.
    private mutating func note(length value: UnsafeRawBufferPointer) -> Bool {
        for text in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let digits = UnsafeRawBufferPointer(rebasing: text).trimmedOfBlanks
            let number = String(decoding: digits, as: UTF8.self).asciiNumber(as: Int64.self)
            guard let number, length ?? number == number else { return false }
            length = number
        }
        return true
    }

    private mutating func end() -> Verdict {
        guard status > 0 else { return .refused("it has no status line") }
        // Informational heads precede the final one. After 101 comes another protocol.
        guard status >= 200 || status == 101 else {
            status = 0
            return .more
        }
        if length != nil, hasTransferCoding {
            return .refused("it has both a length and a transfer coding (RFC 9112, section 6.3)")
        }
        hasHead = true
        headers = HTTPHeaders(builder.build())
        builder = CurlFields.Builder()
        return .head
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var withoutLineEnding: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    fileprivate var trimmedOfBlanks: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[withoutBlanks(from: 0)])
    }

    /// The place of the bytes from `start` on, without the blanks around them.
    fileprivate func withoutBlanks(from start: Int) -> Range<Int> {
        var (start, end) = (start, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}

/// The fields of a head as the bytes that arrived, until all of them are needed.
final class CurlFields: DeferredFields {
    /// The place of a field in the bytes, of which the reader bounds the number.
    private struct Place {
        let start: Int32
        let nameEnd: Int32
        let valueStart: Int32
        let end: Int32

        var name: Range<Int> { Int(start)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(end) }
    }

    /// Collects fields that are known to be valid.
    struct Builder {
        private var bytes: [UInt8] = []
        private var places: [Place] = []

        /// Appends a field.
        ///
        /// - Parameters:
        ///   - line: The line that it begins.
        ///   - nameEnd: The end of the name in the line.
        ///   - value: The place of the value in the line.
        mutating func append(_ line: UnsafeRawBufferPointer, nameEnd: Int, value: Range<Int>) {
            if places.isEmpty {
                bytes.reserveCapacity(512)
                places.reserveCapacity(16)
            }
            let start = Int32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[..<value.upperBound]))
            places.append(
                Place(
                    start: start,
                    nameEnd: start + Int32(truncatingIfNeeded: nameEnd),
                    valueStart: start + Int32(truncatingIfNeeded: value.lowerBound),
                    end: start + Int32(truncatingIfNeeded: value.upperBound)
                )
            )
        }

        /// Continues the last value on another line, which is no more than a space (RFC 9112, section 5.2).
        mutating func `continue`(_ value: UnsafeRawBufferPointer) {
            guard !value.isEmpty, let last = places.popLast() else { return }
            if !last.value.isEmpty { bytes.append(0x20) }
            bytes.append(contentsOf: value)
            places.append(
                Place(
                    start: last.start,
                    nameEnd: last.nameEnd,
                    valueStart: last.valueStart,
                    end: Int32(truncatingIfNeeded: bytes.count)
                )
            )
        }

        func build() -> CurlFields { CurlFields(bytes, places) }
    }

    private let bytes: [UInt8]
    private let places: [Place]

    private init(_ bytes: [UInt8], _ places: [Place]) {
        self.bytes = bytes
        self.places = places
    }

    func value(of name: HTTPHeaderName) -> String? {
        guard let first = index(of: name, from: 0) else { return nil }
        guard name != .setCookie, index(of: name, from: first + 1) != nil else {
            return value(of: places[first])
        }
        return HTTPHeaders.joined(values(of: name), of: name)
    }

    func values(of name: HTTPHeaderName) -> [String] {
        var values: [String] = []
        var next = index(of: name, from: 0)
        while let index = next {
            values.append(value(of: places[index]))
            next = self.index(of: name, from: index + 1)
        }
        return values
    }

    var all: [(name: HTTPHeaderName, value: String)] {
        places.map { place in
            let name = String(decoding: bytes[place.name], as: UTF8.self)
            return (HTTPHeaderName(name), value(of: place))
        }
    }

    private func index(of name: HTTPHeaderName, from start: Int) -> Int? {
        let length = name.rawName.utf8.count
        return bytes.withUnsafeBytes { bytes in
            for index in start..<places.count {
                let place = places[index]
                guard place.name.count == length else { continue }
                if name.folded.matches(UnsafeRawBufferPointer(rebasing: bytes[place.name])) {
                    return index
                }
            }
            return nil
        }
    }

    private func value(of place: Place) -> String {
        let value = bytes[place.value]
        let text = String(decoding: value, as: UTF8.self)
        guard isLocation(place), !text.utf8.elementsEqual(value) else { return text }
        // A path may be in any charset, and another byte would name another resource. Browsers escape these, too.
        var url: [UInt8] = []
        for byte in value {
            if byte < 0x80 {
                url.append(byte)
            } else {
                PercentEncoding.append(escaping: byte, to: &url)
            }
        }
        return String(decoding: url, as: UTF8.self)
    }

    private func isLocation(_ place: Place) -> Bool {
        guard place.name.count == HTTPHeaderName.location.rawName.utf8.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            HTTPHeaderName.location.folded.matches(
                UnsafeRawBufferPointer(rebasing: bytes[place.name])
            )
        }
    }
}
