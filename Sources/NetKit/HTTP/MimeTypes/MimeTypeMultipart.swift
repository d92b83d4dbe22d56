extension MimeType {
    /// A subtype of `multipart/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Multipart: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `multipart/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func multipart(
        _ subtype: Multipart,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "multipart", subtype: subtype.rawValue, parameters: parameters)
    }
}
