extension MimeType {
    /// The subtypes of `video/…`; add your own by an extension.
    public struct Video: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `video/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
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
