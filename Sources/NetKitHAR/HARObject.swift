import Foundation
import NetKit
import NetKitSupport

/// An object of a HAR file that converts itself from and to JSON.
///
/// `Codable` would need less source code but more machine code.
protocol HARObject {
    init(_ members: HARReader) throws(HARProblem)
    var json: JSONValue { get }
}

/// A problem in a HAR file with its position.
///
/// For example: `log.entries[3].request: there is no "url"`
struct HARProblem: Error, CustomStringConvertible {
    private let place: String
    private let problem: String

    init(_ problem: String, at place: String = "") {
        self.place = place
        self.problem = problem
    }

    func inside(_ step: String) -> HARProblem {
        let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
        return HARProblem(problem, at: step + separator + place)
    }

    var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}

/// A reader of an object's members, which returns nil for absent and null ones.
struct HARReader {
    private let members: [String: JSONValue]

    init(_ value: JSONValue) throws(HARProblem) {
        guard case .object(let members) = value else { throw HARProblem("not an object") }
        self.members = members
    }

    private func member(_ name: String) -> JSONValue? {
        let value = members[name]
        return value == .null ? nil : value
    }

    func text(_ name: String) throws(HARProblem) -> String? {
        guard let value = member(name) else { return nil }
        guard let text = value.stringValue else { throw HARProblem("not a string", at: name) }
        return text
    }

    func requiredText(_ name: String) throws(HARProblem) -> String {
        try required(name, try text(name))
    }

    func flag(_ name: String) throws(HARProblem) -> Bool? {
        guard let value = member(name) else { return nil }
        guard let flag = value.boolValue else { throw HARProblem("not a Boolean", at: name) }
        return flag
    }

    func number(_ name: String) throws(HARProblem) -> Double? {
        guard let value = member(name) else { return nil }
        // Converts by way of text, because the decimal's own conversion is often off by a digit.
        guard let number = value.decimalValue.flatMap({ Double($0.description) }) else {
            throw HARProblem("not a number", at: name)
        }
        return number
    }

    func integer(_ name: String) throws(HARProblem) -> Int? {
        guard let value = member(name) else { return nil }
        guard let integer = value.decimalValue.flatMap({ Int($0.description) }) else {
            throw HARProblem("not an integer", at: name)
        }
        return integer
    }

    func date(_ name: String) throws(HARProblem) -> HARDate {
        let text = try requiredText(name)
        guard let date = HARDate(text) else {
            throw HARProblem("not a date as ISO 8601 writes it: \(text.debugDescription)", at: name)
        }
        return date
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func object<Object: HARObject>(_ name: String) throws(HARProblem) -> Object? {
        guard let value = member(name) else { return nil }
        return try object(value, at: name)
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func list<Object: HARObject>(_ name: String) throws(HARProblem) -> [Object]? {
        guard let value = member(name) else { return nil }
        guard case .array(let elements) = value else { throw HARProblem("not an array", at: name) }
        var objects: [Object] = []
        for (index, element) in elements.enumerated() {
            objects.append(try object(element, at: "\(name)[\(index)]"))
        }
        return objects
    }

    func required<Value>(_ name: String, _ value: Value?) throws(HARProblem) -> Value {
        guard let value else { throw HARProblem("\"\(name)\" is missing") }
        return value
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func object<Object: HARObject>(
        _ value: JSONValue,
        at place: String
    ) throws(HARProblem) -> Object {
        do throws(HARProblem) {
            return try Object(HARReader(value))
        } catch {
            throw error.inside(place)
        }
    }
}

extension JSONValue {
    /// Creates an object without the members that are nil.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    static func of(_ text: String?) -> JSONValue? { text.map { .string($0) } }

    static func of(_ flag: Bool?) -> JSONValue? { flag.map { .bool($0) } }

    static func of(_ integer: Int?) -> JSONValue? { integer.map { .number(Decimal($0)) } }

    static func of(_ number: Double?) -> JSONValue? {
        number.map { .number(Decimal(written: $0) ?? .nan) }
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    static func of<Object: HARObject>(_ objects: [Object]?) -> JSONValue? {
        objects.map { .array($0.map(\.json)) }
    }
}

/// A date in the HAR format: ISO 8601 with a time zone, to the millisecond.
struct HARDate: Equatable, Sendable {
    let date: Date

    /// Creates a date, rounded to the millisecond.
    init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.date = Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Parses a date such as `2024-02-29T12:30:00.250+01:00`.
    ///
    /// It accepts any number of decimals and `Z` as the time zone. Without a time zone, it assumes UTC.
    init?(_ text: String) {
        guard let date = ISO8601Text.parse(text, needsZone: false) else { return nil }
        self.init(date)
    }
}

extension HARDate {
    /// The date as text, or an invalid number if it has no text form.
    var json: JSONValue { ISO8601Text(date).map { .string($0.description) } ?? .number(.nan) }
}

/// The bytes of a body in the HAR format: text if possible, or else base64.
struct HARText {
    /// The text.
    let text: String
    /// The encoding: `base64`, or nil for plain text.
    let encoding: String?
    /// Whether bytes at the end are omitted.
    let isTruncated: Bool
    /// A note on the omitted bytes, or nil if there are none.
    let comment: String?

    /// Encodes bytes, up to a limit.
    ///
    /// - Parameters:
    ///   - data: The redacted bytes.
    ///   - mayBeText: Whether the bytes are text if they are UTF-8.
    ///   - limit: The maximum number of bytes to encode.
    ///   - total: The total number of bytes if `data` has only the first of them, or nil for all.
    private init(_ data: Data, mayBeText: Bool, limit: Int, of total: Int?) {
        let isText = mayBeText && String(exactly: data) != nil
        var end = min(data.count, max(0, limit))
        isTruncated = end < data.count || total != nil
        // Cuts text only between code points.
        while isText, isTruncated, end > 0, data.dropFirst(end).first.map({ $0 & 0xC0 }) == 0x80 {
            end -= 1
        }
        let kept = Data(data.prefix(end))
        text = isText ? String(decoding: kept, as: UTF8.self) : kept.base64EncodedString()
        encoding = isText ? nil : "base64"
        comment =
            isTruncated
            ? "the first \(end) of \(total ?? data.count) bytes; the others were left out" : nil
    }

    /// Encodes a redacted body, up to a limit.
    ///
    /// - Parameters:
    ///   - body: The body or its beginning.
    ///   - type: The Content-Type of the body.
    ///   - redaction: The parts to redact.
    ///   - limit: The maximum number of bytes to encode.
    ///   - total: The total number of bytes if `body` has only the first of them, or nil for all.
    init(_ body: Data, type: String?, _ redaction: Redaction, limit: Int, of total: Int?) {
        let shown = RedactedBody(body, type: type, by: redaction.rules, limit: max(0, limit))
        guard let data = shown.data else {
            self.init(comment: Self.note(hiding: type, length: total ?? body.count))
            return
        }
        // Other bytes mean something else in the charset of the type than in UTF-8.
        let mayBeText = !Self.isInOtherCharset(type) || body.allSatisfy { $0.isPlainASCII }
        self.init(
            data,
            mayBeText: mayBeText,
            limit: limit,
            of: total ?? (shown.isCut ? body.count : nil)
        )
    }

    /// Returns the note on a body that the redaction doesn't show.
    static func note(hiding type: String?, length: Int) -> String {
        "\(RedactedBody.note(type: type, length: length)): not shown by the redaction"
    }

    /// Creates an empty text with the reason.
    private init(comment: String) {
        (text, encoding, isTruncated) = ("", nil, true)
        self.comment = comment
    }

    /// Returns the bytes of a text, or nil if its base64 is invalid.
    static func data(_ text: String, encoding: String?) -> Data? {
        guard isBase64(encoding) else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }

    /// Whether an encoding is base64.
    static func isBase64(_ encoding: String?) -> Bool { encoding?.lowercased() == "base64" }

    /// Whether a Content-Type declares a charset other than UTF-8 and ASCII, which is a part of it.
    static func isInOtherCharset(_ type: String?) -> Bool {
        let charset = type.flatMap { MimeTypeParts($0)?.parameters["charset"]?.lowercased() }
        return charset.map { !["utf-8", "utf8", "us-ascii", "ascii"].contains($0) } ?? false
    }
}

extension UInt8 {
    /// Whether the byte is a printable ASCII character or white space.
    fileprivate var isPlainASCII: Bool { (0x20..<0x7F).contains(self) || isJSONWhiteSpace }
}
