import Foundation

/// A `Set-Cookie` field taken apart (RFC 6265bis, section 5.6).
struct SetCookieField {
    /// The most bytes of name and value together.
    static let maximumLength = 4096
    /// The most bytes of an attribute's value; longer ones are ignored.
    private static let maximumAttributeLength = 1024

    let name: String
    let value: String
    /// In how many seconds the cookie expires; nil without such an attribute that can be read.
    private(set) var maximumAge: Double?
    /// When it expires; nil without such an attribute that can be read.
    private(set) var expires: Date?
    /// The domain in lower case, without a dot in front; empty without one.
    private(set) var domain = ""
    /// Whether there is an attribute `Path`.
    private(set) var namesPath = false
    /// The path; nil for the default one.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    /// Reads a field; nil for one that is ignored as a whole.
    ///
    /// A cookie without a name is ignored, as RFC 6265 says (section 5.2), and as curl, OkHttp and Go do. RFC 6265bis
    /// keeps it for the sake of web pages: servers read it back as a cookie with another name than the one they set.
    init?(_ field: String) {
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

    /// Whether there is a name, and name and value have no more bytes than a cookie may have.
    static func canKeep(_ name: String, _ value: String) -> Bool {
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
        case "samesite":
            sameSite = [.strict, .lax, .none]
                .first { $0.rawValue.lowercased() == value.lowercased() }
        default: break
        }
    }

    /// The seconds of a `Max-Age`; nil for what is no whole number.
    private static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    /// What stands before and behind the first equals sign; nil without one.
    private static func pair(_ text: Substring.UTF8View) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (trimmed(text[..<equals]), trimmed(text[equals...].dropFirst()))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        String(Substring(text)).trimmedOfBlanks
    }
}
