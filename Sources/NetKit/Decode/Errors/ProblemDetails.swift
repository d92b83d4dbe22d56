/// A server error in the format of RFC 9457, `application/problem+json`.
///
/// As the RFC demands, a member of the wrong type is treated as if it were not there.
public struct ProblemDetails: ServerError, Decodable, Hashable {
    /// A URI reference that identifies the kind of problem; nil stands for `about:blank`.
    public let type: String?
    /// A short summary of the kind of problem, the same each time.
    public let title: String?
    /// The status that the server meant to send.
    public let status: Int?
    /// What went wrong this time.
    public let detail: String?
    /// A URI reference that identifies this occurrence.
    public let instance: String?
    /// All other members, numbers exact.
    public let extensions: [String: JSONValue]

    /// Decodes a JSON object.
    ///
    /// - Throws: `DecodingError` if it is not an object.
    public init(from decoder: any Decoder) throws {
        // By a container, which leaves the keys of dictionaries as they are.
        var members = try decoder.singleValueContainer().decode([String: JSONValue].self)
        type = members.removeValue(forKey: "type")?.stringValue
        title = members.removeValue(forKey: "title")?.stringValue
        status = members.removeValue(forKey: "status")?.decimalValue.flatMap { Int("\($0)") }
        detail = members.removeValue(forKey: "detail")?.stringValue
        instance = members.removeValue(forKey: "instance")?.stringValue
        extensions = members
    }

    /// The detail, else the title, else the status: "HTTP 404".
    public var message: String {
        detail ?? title ?? status.map { "HTTP \($0)" } ?? type ?? ""
    }
}
