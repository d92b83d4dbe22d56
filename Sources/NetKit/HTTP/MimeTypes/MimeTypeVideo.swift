extension MimeType {
    /// A subtype of `video/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Video: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Creates a media type `video/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func video(
        _ subtype: Video,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "video", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Video {
    /// `video/mp4`.
    public static let mp4 = Self(rawValue: "mp4")
}
