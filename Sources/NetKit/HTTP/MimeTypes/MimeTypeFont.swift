extension MimeType {
    /// The subtypes of `font/…`; add your own by an extension.
    public struct Font: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `font/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func font(
        _ subtype: Font,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "font", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Font {
    /// `font/collection`.
    public static let collection = Self(rawValue: "collection")
    /// `font/otf`.
    public static let otf = Self(rawValue: "otf")
    /// `font/sfnt`.
    public static let sfnt = Self(rawValue: "sfnt")
    /// `font/ttf`.
    public static let ttf = Self(rawValue: "ttf")
    /// `font/woff`.
    public static let woff = Self(rawValue: "woff")
    /// `font/woff2`.
    public static let woff2 = Self(rawValue: "woff2")
}
