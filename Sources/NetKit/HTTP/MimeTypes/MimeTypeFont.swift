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
