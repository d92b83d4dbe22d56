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
    /// `image/avif`.
    public static let avif = Self(rawValue: "avif")
    /// `image/bmp`.
    public static let bmp = Self(rawValue: "bmp")
    /// `image/gif`.
    public static let gif = Self(rawValue: "gif")
    /// `image/heic`.
    public static let heic = Self(rawValue: "heic")
    /// `image/heif`.
    public static let heif = Self(rawValue: "heif")
    /// `image/jpeg`.
    public static let jpeg = Self(rawValue: "jpeg")
    /// `image/pjpeg`.
    public static let pjpeg = Self(rawValue: "pjpeg")
    /// `image/png`.
    public static let png = Self(rawValue: "png")
    /// `image/svg+xml`.
    public static let svgXML = Self(rawValue: "svg+xml")
    /// `image/tiff`.
    public static let tiff = Self(rawValue: "tiff")
    /// `image/vnd.microsoft.icon`.
    public static let vndMicrosoftIcon = Self(rawValue: "vnd.microsoft.icon")
    /// `image/vnd.wap.wbmp`.
    public static let vndWAPWBMP = Self(rawValue: "vnd.wap.wbmp")
    /// `image/webp`.
    public static let webp = Self(rawValue: "webp")
}
