extension MimeType {
    /// A subtype of `message/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Message: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `message/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func message(
        _ subtype: Message,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "message", subtype: subtype.rawValue, parameters: parameters)
    }
}
