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
        guard field.isFieldValue else { return nil }
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
