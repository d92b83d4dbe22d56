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
    /// `text/csv`.
    public static let csv = Self(rawValue: "csv")
    /// `text/html`.
    public static let html = Self(rawValue: "html")
    /// `text/plain`.
    public static let plain = Self(rawValue: "plain")
}
