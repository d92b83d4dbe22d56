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
    /// `application/atom+xml`.
    public static let atomXML = Self(rawValue: "atom+xml")
    /// `application/EDIFACT`.
    public static let edifact = Self(rawValue: "EDIFACT")
    /// `application/EDI-X12`.
    public static let ediX12 = Self(rawValue: "EDI-X12")
    /// `application/font-woff`.
    public static let fontWOFF = Self(rawValue: "font-woff")
    /// `application/gzip`.
    public static let gzip = Self(rawValue: "gzip")
    /// `application/javascript`.
    public static let javascript = Self(rawValue: "javascript")
    /// `application/json`.
    public static let json = Self(rawValue: "json")
    /// `application/jsonl`.
    public static let jsonLines = Self(rawValue: "jsonl")
    /// `application/merge-patch+json`.
    public static let mergePatchJSON = Self(rawValue: "merge-patch+json")
    /// `application/x-ndjson`.
    public static let ndjson = Self(rawValue: "x-ndjson")
    /// `application/octet-stream`.
    public static let octetStream = Self(rawValue: "octet-stream")
    /// `application/ogg`.
    public static let ogg = Self(rawValue: "ogg")
    /// `application/pdf`.
    public static let pdf = Self(rawValue: "pdf")
    /// `application/postscript`.
    public static let postscript = Self(rawValue: "postscript")
    /// `application/problem+json`.
    public static let problemJSON = Self(rawValue: "problem+json")
    /// `application/soap+xml`.
    public static let soapXML = Self(rawValue: "soap+xml")
    /// `application/wasm`.
    public static let wasm = Self(rawValue: "wasm")
    /// `application/x-bittorrent`.
    public static let xBitTorrent = Self(rawValue: "x-bittorrent")
    /// `application/xhtml+xml`.
    public static let xhtmlXML = Self(rawValue: "xhtml+xml")
    /// `application/xml`.
    public static let xml = Self(rawValue: "xml")
    /// `application/xml-dtd`.
    public static let xmlDTD = Self(rawValue: "xml-dtd")
    /// `application/xop+xml`.
    public static let xopXML = Self(rawValue: "xop+xml")
    /// `application/x-tex`.
    public static let xTeX = Self(rawValue: "x-tex")
    /// `application/x-www-form-urlencoded`.
    public static let xWWWFormURLEncoded = Self(rawValue: "x-www-form-urlencoded")
    /// `application/zip`.
    public static let zip = Self(rawValue: "zip")
}
