/// A media type (RFC 9110, section 8.3.1): `type/subtype; parameter=value`.
///
/// Open: add your own by an extension, as statics or as subtypes of a family. Types, subtypes and the
/// names of parameters compare without regard to case, and parameters in any order; their values
/// compare exactly, but for `charset`, whose value is a name as well.
public struct MimeType: RawRepresentable, Sendable, ExpressibleByStringLiteral {
    /// The type as it is sent.
    public let rawValue: String

    /// Makes a media type from its text, unchecked.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a media type from a literal, unchecked.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Reads a media type; nil if the text is none by RFC 9110.
    ///
    /// A literal between the parentheses is not read but taken as it is, unchecked, as with every
    /// type that literals can make.
    ///
    /// - Parameter text: The text, such as the value of a `Content-Type` field.
    public init?(_ text: String) {
        guard let parts = MimeTypeParts(text) else { return nil }
        self.init(rawValue: parts.trimmedText)
    }

    /// Makes a media type of its parts, unchecked.
    ///
    /// - Parameters:
    ///   - type: The part before the slash.
    ///   - subtype: The part behind the slash.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    init(type: String, subtype: String, parameters: [String: String] = [:]) {
        var text = "\(type)/\(subtype)"
        for (name, value) in parameters.sortedByName {
            text += "; \(name)=\(MimeTypeParts.quotedIfNeeded(value))"
        }
        self.init(rawValue: text)
    }

    /// The part before the slash, in lower case; the whole text if there is no slash.
    public var type: String { MimeTypeParts.essence(of: rawValue).type }

    /// The part behind the slash without parameters, in lower case.
    public var subtype: String { MimeTypeParts.essence(of: rawValue).subtype }

    /// The parameters by their names in lower case, without quotes; none if the text is not valid.
    public var parameters: [String: String] { MimeTypeParts(rawValue)?.parameters ?? [:] }
}

extension MimeType: Hashable {
    public static func == (left: MimeType, right: MimeType) -> Bool {
        left.rawValue == right.rawValue || left.canonical == right.canonical
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(canonical)
    }

    /// What is compared; the text itself where it is no media type.
    private var canonical: [String] {
        guard let parts = MimeTypeParts(rawValue) else { return [rawValue] }
        let parameters = parts.parameters.map { name, value in
            "\(name)=\(name == "charset" ? value.lowercased() : value)"
        }
        return ["\(type)/\(subtype)"] + parameters.sorted()
    }
}

extension MimeType: CustomStringConvertible {
    /// The type as it is sent.
    public var description: String { rawValue }
}

/// Media types by short names.
extension MimeType {
    /// `application/json`.
    public static let json = MimeType(rawValue: "application/json")
    /// `application/x-www-form-urlencoded`.
    public static let form = MimeType(rawValue: "application/x-www-form-urlencoded")
    /// `text/plain; charset=utf-8`.
    public static let plainText = MimeType(rawValue: "text/plain; charset=utf-8")
    /// `application/octet-stream`.
    public static let binary = MimeType(rawValue: "application/octet-stream")
}
