/// A server error in the format of RFC 9457, `application/problem+json`.
///
/// As the RFC requires, members of the wrong type are ignored.
public struct ProblemDetails: ServerError, Decodable, Hashable {
    /// A URI reference that identifies the problem type.
    ///
    /// Nil means `about:blank`.
    public let type: String?
    /// A short summary of the problem type, the same for every occurrence.
    public let title: String?
    /// The status code that the server intended.
    public let status: Int?
    /// An explanation of this occurrence.
    public let detail: String?
    /// A URI reference that identifies this occurrence.
    public let instance: String?
    /// All other members, with exact numbers.
    public let extensions: [String: JSONValue]

    /// Decodes a JSON object.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value isn't an object.
    public init(from decoder: any Decoder) throws {
        // A single-value container leaves the keys of dictionaries unchanged.
        var members = try decoder.singleValueContainer().decode([String: JSONValue].self)
        type = members.removeValue(forKey: "type")?.stringValue
        title = members.removeValue(forKey: "title")?.stringValue
        status = members.removeValue(forKey: "status")?.decimalValue.flatMap { Int("\($0)") }
        detail = members.removeValue(forKey: "detail")?.stringValue
        instance = members.removeValue(forKey: "instance")?.stringValue
        extensions = members
    }

    /// The detail, or else the title, the status such as "HTTP 404", or the type.
    public var message: String {
        detail ?? title ?? status.map { "HTTP \($0)" } ?? type ?? ""
    }
}
