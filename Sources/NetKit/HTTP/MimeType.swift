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
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a media type from a literal, without validation.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

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

    /// The normalized form for comparison, or the text itself if it is invalid.
    private var canonical: [String] {
        guard let parts = MimeTypeParts(rawValue) else { return [rawValue] }
        let parameters = parts.parameters.map { name, value in
            "\(name)=\(name == "charset" ? value.lowercased() : value)"
        }
        return ["\(type)/\(subtype)"] + parameters.sorted()
    }
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

/// A parser for `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
///
/// It reads bytes, because a combining mark after a delimiter would conceal it.
struct MimeTypeParts {
    private(set) var parameters: [String: String] = [:]
    /// The text without surrounding white space.
    let trimmedText: String

    /// Parses a text.
    ///
    /// Nil if it isn't a media type.
    init?(_ text: String) {
        trimmedText = String(Substring(Self.trimmed(text.utf8[...])))
        var reader = FieldReader(trimmedText)
        guard reader.token() != nil, reader.take("/"), reader.token() != nil else { return nil }
        while true {
            reader.skipBlanks()
            guard !reader.isAtEnd else { return }
            guard reader.take(";") else { return nil }
            reader.skipBlanks()
            if reader.isAtEnd || reader.next == UInt8(ascii: ";") { continue }
            guard let name = reader.token(), reader.take("="),
                let value = reader.token() ?? reader.quotedString()
            else { return nil }
            // The first parameter of a name applies, as in the WHATWG's parser.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    /// Returns the type and subtype in lowercase, without validation.
    static func essence(of text: String) -> (type: String, subtype: String) {
        let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let type = essence.prefix { $0 != UInt8(ascii: "/") }
        let subtype = essence[type.endIndex...].dropFirst()
        return (
            Substring(trimmed(type)).lowercased(),
            Substring(trimmed(subtype)).lowercased()
        )
    }

    /// Returns a value as a token if possible, or else quoted.
    static func quotedIfNeeded(_ value: String) -> String {
        value.isHTTPToken ? value : QuotedString.quoting(value)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}

/// The usual media types of file extensions.
extension MimeType {
    /// Creates the media type of a file extension.
    ///
    /// Nil for an unknown extension.
    ///
    /// - Parameter fileExtension: The extension in any case, with or without its dot.
    package init?(fileExtension: String) {
        let key = fileExtension.hasPrefix(".") ? String(fileExtension.dropFirst()) : fileExtension
        guard let type = Self.byExtension[key.lowercased()] else { return nil }
        self.init(rawValue: type)
    }

    private static let byExtension: [String: String] = [
        "aac": "audio/aac",
        "avi": "video/x-msvideo",
        "avif": "image/avif",
        "bin": "application/octet-stream",
        "bmp": "image/bmp",
        "bz2": "application/x-bzip2",
        "css": "text/css",
        "csv": "text/csv",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eot": "application/vnd.ms-fontobject",
        "epub": "application/epub+zip",
        "flac": "audio/flac",
        "flv": "video/x-flv",
        "gif": "image/gif",
        "glb": "model/gltf-binary",
        "gltf": "model/gltf+json",
        "gz": "application/gzip",
        "heic": "image/heic",
        "heif": "image/heif",
        "htm": "text/html",
        "html": "text/html",
        "ico": "image/vnd.microsoft.icon",
        "ics": "text/calendar",
        "jar": "application/java-archive",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript",
        "json": "application/json",
        "jsonl": "application/jsonl",
        "jsonld": "application/ld+json",
        "log": "text/plain",
        "m3u8": "application/vnd.apple.mpegurl",
        "m4a": "audio/mp4",
        "m4v": "video/mp4",
        "markdown": "text/markdown",
        "md": "text/markdown",
        "mid": "audio/midi",
        "midi": "audio/midi",
        "mjs": "text/javascript",
        "mkv": "video/x-matroska",
        "mov": "video/quicktime",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "mpeg": "video/mpeg",
        "mpg": "video/mpeg",
        "ndjson": "application/x-ndjson",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odt": "application/vnd.oasis.opendocument.text",
        "oga": "audio/ogg",
        "ogg": "audio/ogg",
        "ogv": "video/ogg",
        "opus": "audio/opus",
        "otf": "font/otf",
        "pdf": "application/pdf",
        "php": "text/php",
        "plist": "application/x-plist",
        "png": "image/png",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "ps": "application/postscript",
        "rar": "application/vnd.rar",
        "rtf": "application/rtf",
        "sh": "application/x-sh",
        "svg": "image/svg+xml",
        "tar": "application/x-tar",
        "tex": "application/x-tex",
        "tif": "image/tiff",
        "tiff": "image/tiff",
        "toml": "application/toml",
        "torrent": "application/x-bittorrent",
        "ts": "video/mp2t",
        "tsv": "text/tab-separated-values",
        "ttf": "font/ttf",
        "txt": "text/plain",
        "vcf": "text/vcard",
        "wasm": "application/wasm",
        "wav": "audio/wav",
        "weba": "audio/webm",
        "webm": "video/webm",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "wma": "audio/x-ms-wma",
        "wmv": "video/x-ms-wmv",
        "woff": "font/woff",
        "woff2": "font/woff2",
        "xhtml": "application/xhtml+xml",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": "application/xml",
        "yaml": "application/yaml",
        "yml": "application/yaml",
        "zip": "application/zip",
        "zst": "application/zstd",
        "3gp": "video/3gpp",
        "7z": "application/x-7z-compressed",
    ]
}
