extension MimeType {
    /// The subtypes of `image/…`; add your own by an extension.
    public struct Image: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `image/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func image(
        _ subtype: Image,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "image", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Image {
    /// `image/gif`.
    public static let gif = Self(rawValue: "gif")
    /// `image/jpeg`.
    public static let jpeg = Self(rawValue: "jpeg")
    /// `image/png`.
    public static let png = Self(rawValue: "png")
    /// `image/webp`.
    public static let webp = Self(rawValue: "webp")
}
