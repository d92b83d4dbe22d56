extension MimeType {
    /// The subtypes of `text/…`; add your own by an extension.
    public struct Text: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `text/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func text(
        _ subtype: Text,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "text", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Text {
    /// `text/cache-manifest`.
    public static let cacheManifest = Self(rawValue: "cache-manifest")
    /// `text/calendar`.
    public static let calendar = Self(rawValue: "calendar")
    /// `text/cmd`.
    public static let cmd = Self(rawValue: "cmd")
    /// `text/css`.
    public static let css = Self(rawValue: "css")
    /// `text/csv`.
    public static let csv = Self(rawValue: "csv")
    /// `text/event-stream`.
    public static let eventStream = Self(rawValue: "event-stream")
    /// `text/html`.
    public static let html = Self(rawValue: "html")
    /// `text/javascript`.
    public static let javascript = Self(rawValue: "javascript")
    /// `text/markdown`.
    public static let markdown = Self(rawValue: "markdown")
    /// `text/php`.
    public static let php = Self(rawValue: "php")
    /// `text/plain`.
    public static let plain = Self(rawValue: "plain")
    /// `text/vcard`.
    public static let vcard = Self(rawValue: "vcard")
    /// `text/xml`.
    public static let xml = Self(rawValue: "xml")
}
