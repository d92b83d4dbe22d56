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
    /// `video/3gpp`.
    public static let gpp3 = Self(rawValue: "3gpp")
    /// `video/mp4`.
    public static let mp4 = Self(rawValue: "mp4")
    /// `video/mpeg`.
    public static let mpeg = Self(rawValue: "mpeg")
    /// `video/ogg`.
    public static let ogg = Self(rawValue: "ogg")
    /// `video/quicktime`.
    public static let quicktime = Self(rawValue: "quicktime")
    /// `video/webm`.
    public static let webm = Self(rawValue: "webm")
    /// `video/x-flv`.
    public static let xFLV = Self(rawValue: "x-flv")
    /// `video/x-ms-wmv`.
    public static let xMSWMV = Self(rawValue: "x-ms-wmv")
    /// `video/x-msvideo`.
    public static let xMSVideo = Self(rawValue: "x-msvideo")
}
