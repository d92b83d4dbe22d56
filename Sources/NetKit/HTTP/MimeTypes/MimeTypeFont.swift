extension MimeType {
    /// A subtype of `font/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Font: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `font/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func font(
        _ subtype: Font,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "font", subtype: subtype.rawValue, parameters: parameters)
    }
}
