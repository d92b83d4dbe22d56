extension MimeType {
    /// The subtypes of `audio/…`; add your own by an extension.
    public struct Audio: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `audio/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func audio(
        _ subtype: Audio,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "audio", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Audio {
    /// `audio/mp4`.
    public static let mp4 = Self(rawValue: "mp4")
}
