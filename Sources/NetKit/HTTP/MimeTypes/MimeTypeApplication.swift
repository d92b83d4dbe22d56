extension MimeType {
    /// The subtypes of `application/…`; add your own by an extension.
    public struct Application: RawRepresentable, Hashable, Sendable {
        /// The subtype as it is sent.
        public let rawValue: String

        /// Makes a subtype.
        ///
        /// - Parameter rawValue: The subtype as it is sent.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The media type `application/…` of a subtype.
    ///
    /// - Parameters:
    ///   - subtype: The subtype.
    ///   - parameters: Parameters, sent sorted by name, quoted where they have to be.
    /// - Returns: The media type.
    public static func application(
        _ subtype: Application,
        parameters: [String: String] = [:]
    ) -> MimeType {
        MimeType(type: "application", subtype: subtype.rawValue, parameters: parameters)
    }
}

extension MimeType.Application {
    /// `application/json`.
    public static let json = Self(rawValue: "json")
    /// `application/pdf`.
    public static let pdf = Self(rawValue: "pdf")
    /// `application/problem+json`.
    public static let problemJSON = Self(rawValue: "problem+json")
    /// `application/xml`.
    public static let xml = Self(rawValue: "xml")
    /// `application/zip`.
    public static let zip = Self(rawValue: "zip")
}
