/// The families of media types, each with its subtypes.
extension MimeType {
    /// A subtype of `application/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Application: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `application/json`.
        public static let json = Self(rawValue: "json")
        /// `application/pdf`.
        public static let pdf = Self(rawValue: "pdf")
    }

    /// Creates a media type `application/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func application(
        _ subtype: Application,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "application", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `audio/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Audio: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `audio/mp4`.
        public static let mp4 = Self(rawValue: "mp4")
    }

    /// Creates a media type `audio/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func audio(_ subtype: Audio, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "audio", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `font/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Font: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Creates a media type `font/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func font(_ subtype: Font, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "font", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `image/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Image: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `image/jpeg`.
        public static let jpeg = Self(rawValue: "jpeg")
        /// `image/png`.
        public static let png = Self(rawValue: "png")
    }

    /// Creates a media type `image/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func image(_ subtype: Image, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "image", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `message/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Message: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Creates a media type `message/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func message(_ subtype: Message, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "message", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `model/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Model: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Creates a media type `model/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func model(_ subtype: Model, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "model", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `multipart/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Multipart: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }
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

    /// A subtype of `text/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Text: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `text/plain`.
        public static let plain = Self(rawValue: "plain")
    }

    /// Creates a media type `text/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func text(_ subtype: Text, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "text", subtype: subtype.rawValue, parameters: parameters)
    }

    /// A subtype of `video/…`.
    ///
    /// You can add subtypes in an extension.
    public struct Video: RawRepresentable, Hashable, Sendable {
        /// The subtype, as sent.
        public let rawValue: String

        /// Creates a subtype.
        ///
        /// - Parameter rawValue: The subtype, as sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `video/mp4`.
        public static let mp4 = Self(rawValue: "mp4")
    }

    /// Creates a media type `video/…` from a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: The parameters, which are sorted by name and quoted if necessary. Defaults to none.
    /// - Returns: The media type.
    public static func video(_ subtype: Video, parameters: [String: String] = [:]) -> MimeType {
        MimeType(type: "video", subtype: subtype.rawValue, parameters: parameters)
    }
}
