package import Foundation

/// A parsed `Set-Cookie` field (RFC 6265bis, section 5.6).
package struct SetCookieField {
    /// The maximum combined length of name and value, in bytes.
    static let maximumLength = 4096
    /// The maximum length of an attribute's value in bytes.
    ///
    /// Longer ones are ignored.
    private static let maximumAttributeLength = 1024

    package let name: String
    package let value: String
    /// The number of seconds until expiration, or nil without a valid `Max-Age`.
    package private(set) var maximumAge: Double?
    /// The expiration date, or nil without a valid `Expires`.
    package private(set) var expires: Date?
    /// The domain in lowercase without a leading dot, or an empty string without one.
    package private(set) var domain = ""
    /// Whether there is a `Path` attribute.
    package private(set) var namesPath = false
    /// The path, or nil for the default one.
    package private(set) var path: String?
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false
    /// The last `SameSite` attribute as sent, or nil without one.
    package private(set) var sameSite: String?

    /// Parses a field, or returns nil if the whole field is ignored.
    ///
    /// A cookie without a name is ignored, as in RFC 6265 (section 5.2), curl, OkHttp, and Go. RFC 6265bis keeps it for
    /// the sake of web pages, but servers would read it back under another name.
    package init?(_ field: String) {
        // Nor can a file keep more marks, see CombiningMarks.
        guard field.isFieldValue, !CombiningMarks.areTooMany(in: field.utf8) else { return nil }
        let parts = field.utf8.split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        )
        guard let (name, value) = parts.first.flatMap({ Self.pair($0) }),
            Self.canKeep(name, value)
        else { return nil }
        (self.name, self.value) = (name, value)
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part) ?? (Self.trimmed(part), "")
            guard value.utf8.count <= Self.maximumAttributeLength else { continue }
            read(name, value)
        }
    }

    /// Returns whether there is a name, and whether name and value are short enough.
    package static func canKeep(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.count + value.utf8.count <= maximumLength
    }

    private mutating func read(_ name: String, _ value: String) {
        switch name.lowercased() {
        case "expires": expires = CookieDate.parse(value) ?? expires
        case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
        case "domain":
            let isDotted = value.utf8.first == UInt8(ascii: ".")
            let folded = value.utf8.dropFirst(isDotted ? 1 : 0).map { HTTPToken.folded($0) }
            domain = String(decoding: folded, as: UTF8.self)
        case "path":
            namesPath = true
            path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = value
        default: break
        }
    }

    /// Parses the seconds of `Max-Age`, or returns nil for anything but a whole number.
    private static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    /// Splits at the first equals sign, or returns nil without one.
    private static func pair(_ text: Substring.UTF8View) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (trimmed(text[..<equals]), trimmed(text[equals...].dropFirst()))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        String(Substring(text)).trimmedOfBlanks
    }
}

/// `Set-Cookie` fields that were joined with commas.
package enum SetCookieFields {
    /// Splits joined fields before each ", name=".
    ///
    /// A date also contains a comma, but no equals sign before the next comma or semicolon.
    package static func split(_ joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var fields: [String] = []
        var start = 0
        for comma in bytes.indices where bytes[comma] == UInt8(ascii: ",") {
            guard beginsCookie(bytes[(comma + 1)...]) else { continue }
            fields.append(text(bytes[start..<comma]))
            start = comma + 1
        }
        fields.append(text(bytes[start...]))
        return fields
    }

    /// Whether the text begins with a blank, a name and an equals sign.
    ///
    /// A value can contain `x,y=1`.
    private static func beginsCookie(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == 0x20 || bytes.first == 0x09 else { return false }
        let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = rest.firstIndex { !isName($0) } ?? rest.endIndex
        return end > rest.startIndex && end < rest.endIndex && rest[end] == UInt8(ascii: "=")
    }

    /// Whether servers use a byte in names.
    ///
    /// A name should be a token, but PHP sends `cart[7]`, and others have letters beyond ASCII.
    private static func isName(_ byte: UInt8) -> Bool {
        HTTPToken.allows(byte) || byte >= 0x80 || "()[]{}:@".utf8.contains(byte)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmedOfBlanks
    }
}

/// A parser of dates in `Expires`, as browsers read them (RFC 6265bis, section 5.1.1).
///
/// Servers use more than the three forms of HTTP, so each part is recognized separately, in any order.
enum CookieDate {
    /// Parses a date.
    ///
    /// - Parameter text: A date in UTC, such as `Wed, 09 Jun 2027 10:18:14 GMT` or `9-jun-27 10:18:14`.
    /// - Returns: The date, or nil if a part is missing or invalid.
    static func parse(_ text: String) -> Date? {
        var (time, day, month, year): (Int?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2)?.value {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4)?.value {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard year >= 1601, time >= 0 else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        return Date(timeIntervalSince1970: date.start + Double(time))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the leading number of a token, and the rest after its digits.
    private static func number<Token: Collection<UInt8>>(
        _ token: Token,
        digits: ClosedRange<Int>
    ) -> (value: Int, rest: Token.SubSequence)? {
        let found = token.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
        let rest = token[found.endIndex...]
        guard digits.contains(found.count), rest.first.map({ (0x30...0x39).contains($0) }) != true
        else { return nil }
        return (found.reduce(0) { $0 * 10 + Int($1 - 0x30) }, rest)
    }

    /// Returns the second of the day for a time such as `10:18:14`.
    ///
    /// A negative result means an invalid time. Nil means that the token isn't a time.
    private static func time(_ token: some Collection<UInt8>) -> Int? {
        guard let hour = number(token, digits: 1...2), hour.rest.first == colon,
            let minute = number(hour.rest.dropFirst(), digits: 1...2), minute.rest.first == colon,
            let second = number(minute.rest.dropFirst(), digits: 1...2)
        else { return nil }
        guard hour.value < 24, minute.value < 60, second.value < 60 else { return -1 }
        return (hour.value * 60 + minute.value) * 60 + second.value
    }

    private static let colon = UInt8(ascii: ":")

    /// Returns the month whose first three letters begin the token.
    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let letters = token.prefix(3).map { HTTPToken.folded($0) }
        return months.firstIndex { $0.utf8.elementsEqual(letters) }.map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
