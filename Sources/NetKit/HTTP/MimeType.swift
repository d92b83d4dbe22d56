import NetKitSupport

/// A media type (RFC 9110, section 8.3.1): `type/subtype; parameter=value`.
///
/// You can add media types in an extension, as static members or as subtypes of a family. Comparison ignores the case
/// of types, subtypes and parameter names, and the order of parameters. Parameter values are compared exactly, except
/// that the value of `charset` is also case-insensitive.
public struct MimeType: RawRepresentable, Sendable, ExpressibleByStringLiteral {
    /// The media type, as sent.
    public let rawValue: String

    /// Creates a media type from its text, without validation.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a media type from a literal, without validation.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Parses a media type.
    ///
    /// Nil if the text is invalid by RFC 9110.
    ///
    /// With a literal argument, Swift calls ``init(stringLiteral:)`` instead, which doesn't validate it.
    ///
    /// - Parameter text: The text, such as the value of a `Content-Type` field.
    public init?(_ text: String) {
        guard let parts = MimeTypeParts(text) else { return nil }
        self.init(rawValue: parts.trimmedText)
    }

    /// Creates the media type of a file extension.
    ///
    /// Nil for an unknown extension.
    ///
    /// - Parameter fileExtension: The extension in any case, with or without its dot.
    package init?(fileExtension: String) {
        guard let type = FileExtensions.mediaType(of: fileExtension) else { return nil }
        self.init(rawValue: type)
    }

    /// Creates a media type from its parts, without validation.
    ///
    /// - Parameters:
    ///   - type: The part before the slash.
    ///   - subtype: The part after the slash.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    init(type: String, subtype: String, parameters: [String: String] = [:]) {
        var text = "\(type)/\(subtype)"
        for (name, value) in parameters.sortedByName {
            text += "; \(name)=\(MimeTypeParts.quotedIfNeeded(value))"
        }
        self.init(rawValue: text)
    }

    /// The part before the slash, in lowercase, or the whole text without a slash.
    public var type: String { MimeTypeParts.essence(of: rawValue).type }

    /// The part after the slash, in lowercase, without parameters.
    public var subtype: String { MimeTypeParts.essence(of: rawValue).subtype }

    /// Whether the type is JSON or a format based on it (RFC 6839).
    var isJSON: Bool {
        let subtype = self.subtype
        return subtype == "json" || subtype.hasSuffix("+json")
    }

    /// The unquoted parameters by lowercase name, empty if the text is invalid.
    public var parameters: [String: String] { MimeTypeParts(rawValue)?.parameters ?? [:] }
}

extension MimeType: Hashable {
    public static func == (left: MimeType, right: MimeType) -> Bool {
        left.rawValue == right.rawValue || left.canonical == right.canonical
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(canonical)
    }

    private var canonical: [String] { MimeTypeParts.canonical(rawValue) }
}

extension MimeType: RawDescribed {}

/// Common media types.
extension MimeType {
    /// `application/json`.
    public static let json = MimeType(rawValue: "application/json")
    /// `text/plain; charset=utf-8`.
    public static let plainText = MimeType(rawValue: "text/plain; charset=utf-8")
    /// `application/octet-stream`.
    public static let binary = MimeType(rawValue: "application/octet-stream")
}
