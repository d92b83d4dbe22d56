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
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
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
}

extension MimeType.Application {
    /// `application/json`.
    public static let json = Self(rawValue: "json")
    /// `application/pdf`.
    public static let pdf = Self(rawValue: "pdf")
}
