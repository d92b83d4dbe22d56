extension MimeType {
    /// A subtype of `text/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Text: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `text/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func text(
        _ subtype: Text,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "text", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Text {
    /// `text/plain`.
    public static let plain = Self(rawValue: "plain")
}
