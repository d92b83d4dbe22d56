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
    /// `audio/aac`.
    public static let aac = Self(rawValue: "aac")
    /// `audio/basic`.
    public static let basic = Self(rawValue: "basic")
    /// `audio/flac`.
    public static let flac = Self(rawValue: "flac")
    /// `audio/L24`.
    public static let l24 = Self(rawValue: "L24")
    /// `audio/mp4`.
    public static let mp4 = Self(rawValue: "mp4")
    /// `audio/mpeg`.
    public static let mpeg = Self(rawValue: "mpeg")
    /// `audio/ogg`.
    public static let ogg = Self(rawValue: "ogg")
    /// `audio/opus`.
    public static let opus = Self(rawValue: "opus")
    /// `audio/vnd.rn-realaudio`.
    public static let vndRNRealAudio = Self(rawValue: "vnd.rn-realaudio")
    /// `audio/vnd.wave`.
    public static let vndWave = Self(rawValue: "vnd.wave")
    /// `audio/vorbis`.
    public static let vorbis = Self(rawValue: "vorbis")
    /// `audio/wav`.
    public static let wav = Self(rawValue: "wav")
    /// `audio/webm`.
    public static let webm = Self(rawValue: "webm")
    /// `audio/x-ms-wax`.
    public static let xMSWAX = Self(rawValue: "x-ms-wax")
    /// `audio/x-ms-wma`.
    public static let xMSWMA = Self(rawValue: "x-ms-wma")
}
