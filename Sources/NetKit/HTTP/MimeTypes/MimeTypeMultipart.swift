extension MimeType {
    /// The subtypes of `multipart/…`; add your own by an extension.
    public struct Multipart: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `multipart/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func multipart(
        _ subtype: Multipart,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "multipart", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Multipart {
    /// `multipart/form-data`.
    public static let formData = Self(rawValue: "form-data")
    /// `multipart/mixed`.
    public static let mixed = Self(rawValue: "mixed")
}
