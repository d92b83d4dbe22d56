extension MimeType {
    /// A subtype of `image/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Image: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `image/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func image(
        _ subtype: Image,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "image", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Image {
    /// `image/jpeg`.
    public static let jpeg = Self(rawValue: "jpeg")
    /// `image/png`.
    public static let png = Self(rawValue: "png")
}
