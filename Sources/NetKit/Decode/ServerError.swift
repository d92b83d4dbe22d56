public import Foundation
import NetKitSupport

/// An error that a server reports in a response whose status code isn't 2xx.
///
/// A `Decodable` type needs only a `message`. NetKit decodes it from the response's JSON body:
///
/// ```swift
/// struct APIError: ServerError, Decodable { let message: String; let code: Int }
/// ```
///
/// For a format other than JSON, write ``ServerError/decode(from:using:)``:
///
/// ```swift
/// struct StorageError: ServerError {
///     let message: String
///
///     static func decode(from response: HTTPResponse, using decoder: JSONDecoder) throws -> Self {
///         let found = response.text.firstMatch(of: #/<Message>(.*?)</Message>/#)
///         return Self(message: found.map { String($0.1) } ?? "")
///     }
/// }
/// ```
///
/// `String` (the body's text), an Optional of another server error, ``ServerMessage``, and ``ProblemDetails`` are also
/// server errors.
///
/// It isn't an `Error`. To throw one yourself, such as from a ``ResponseDecoding``, declare `: ServerError, Error`.
public protocol ServerError: Sendable {
    /// The message for people.
    var message: String { get }

    /// Decodes the error from a response.
    ///
    /// - Parameters:
    ///   - response: The response. If there is a ``Request/errorConverter``, the body is its result.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error.
    /// - Throws: Any error. The call then fails with ``ErrorResponse/undecodableServerError(_:underlying:)``, which
    ///   carries the response and the error.
    static func decode(from response: HTTPResponse, using decoder: JSONDecoder) throws -> Self
}

extension ServerError where Self: Decodable {
    /// Decodes the body as JSON, whatever its Content-Type.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error.
    /// - Throws: ``DecodingFailure`` if the body is empty or doesn't decode.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> Self {
        try JSONDecoding.value(Self.self, of: response, decoder: decoder)
    }
}

extension String: ServerError {
    /// The string itself.
    public var message: String { self }

    /// Decodes the body's text, or the content of a JSON string.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: Unused.
    /// - Returns: The text, which is empty for an empty body.
    /// - Throws: An error if the body isn't valid text in its declared charset.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> String {
        try response.plainText()
    }
}

extension Optional: ServerError where Wrapped: ServerError {
    /// The wrapped error's message, or "Empty response" for nil.
    public var message: String { self?.message ?? "Empty response" }

    /// Decodes the wrapped error.
    ///
    /// An empty body and JSON `null` decode to nil.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the operation, the request, or the endpoint.
    /// - Returns: The error, or nil for an empty body or JSON `null`.
    /// - Throws: The errors of the wrapped type.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> Wrapped? {
        if response.hasNoContent || JSONText.isNull(response.body) { return nil }
        return try Wrapped.decode(from: response, using: decoder)
    }
}

/// A server error that finds a message in any response body.
///
/// This is the default `ErrorType`.
///
/// In JSON of up to 512 KiB, it searches the keys `msg`, `message`, `Message`, `error_description`, `errorMessage`,
/// `error`, `err`, `reason`, `detail`, `title`, `errorMessages`, and `errors`, in this order. A value can be a string, an
/// object with one of these keys, or an array of these. Blank strings are skipped. An HTML page contributes its title, and other text its first line. For
/// any other body, the message is the status, such as "HTTP 404 Not Found". The message is one line of at most 200
/// characters.
public struct ServerMessage: ServerError, Hashable {
    /// The message.
    ///
    /// It isn't empty if it comes from a response.
    public let message: String

    /// Creates a server error for tests.
    ///
    /// - Parameter message: The message.
    public init(_ message: String) { self.message = message }

    /// Finds the message in a response.
    ///
    /// This always succeeds.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: Unused.
    /// - Returns: The message.
    /// - Throws: Nothing.
    public static func decode(
        from response: HTTPResponse,
        using decoder: JSONDecoder
    ) throws -> ServerMessage {
        ServerMessage(
            ServerWords.line(in: response, readsAnyText: true) ?? StatusLine.text(of: response)
        )
    }

    private static let keys = [
        "msg", "message", "Message", "error_description", "errorMessage", "error", "err", "reason",
        "detail", "title", "errorMessages", "errors",
    ]

    /// Returns the message in `json`, searching at most four levels.
    static func words(in json: JSONValue) -> String? { message(in: json, depth: 0) }

    private static func message(in json: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch json {
        case .string(let text): return text.isBlank ? nil : text
        case .array(let elements):
            let messages = elements.compactMap { message(in: $0, depth: depth + 1) }
            return messages.isEmpty ? nil : messages.joined(separator: ", ")
        case .object(let members):
            for key in keys {
                guard let member = members[key] else { continue }
                if let found = message(in: member, depth: depth + 1) { return found }
                if key == "errors", case .object(let fields) = member {
                    return message(inFields: fields, depth: depth + 1)
                }
            }
            return nil
        case .null, .bool, .number: return nil
        }
    }

    /// Joins the messages of a form's fields: `email: is taken, name: is too long`.
    private static func message(inFields fields: [String: JSONValue], depth: Int) -> String? {
        let messages = fields.sortedByName
            .compactMap { field, problem in
                message(in: problem, depth: depth + 1).map { "\(field): \($0)" }
            }
        return messages.isEmpty ? nil : messages.joined(separator: ", ")
    }
}

extension String {
    /// Whether the text is empty or only white space.
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// Extracts a message for people from a response body, as one bounded line.
enum ServerWords {
    /// The number of bytes to search for a message.
    private static let reach = 64 << 10
    /// The number of bytes of the longest JSON that is searched, whose values take 32 times as much memory.
    private static let maximumJSON = 512 << 10

    /// Returns the message in a response's body.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - readsAnyText: Whether a body that is neither JSON nor markup counts as text, whatever its Content-Type.
    /// - Returns: The message of JSON (see ``ServerMessage``), the title of HTML, or the first line of text. Nil if
    ///   there is none.
    static func line(in response: HTTPResponse, readsAnyText: Bool) -> String? {
        guard !response.hasNoContent else { return nil }
        // A body that isn't JSON counts as text.
        if response.body.count > maximumJSON {
            let kind = JSONText.kind(of: response.body, at: .whole)
            guard kind == nil || kind == .number || kind == .boolean else { return nil }
        } else if let json = try? JSONText.value(of: response.body) {
            switch json {
            case .string, .array, .object: return ServerMessage.words(in: json).flatMap(line)
            case .null: return nil
            case .bool, .number: break
            }
        }
        let type = response.mediaType
        let isText = readsAnyText || type == nil || type?.type == "text"
        guard isText || type?.isMarkup == true, let text = beginning(of: response)
        else { return nil }
        if type?.isMarkup == true || Markup.begins(text) { return Markup.title(of: text) }
        // A body with a NUL isn't text.
        guard !text.utf8.contains(0) else { return nil }
        return text.split(whereSeparator: \.isNewline).lazy.map { BoundedLine.text(String($0)) }
            .first { !$0.isEmpty }
    }

    /// Returns a message as one line.
    ///
    /// An HTML page becomes its title.
    ///
    /// - Parameter message: The message of a server error.
    /// - Returns: The line, or nil if it is empty.
    static func line(of message: String) -> String? {
        let line = Markup.begins(message) ? Markup.title(of: message) : BoundedLine.text(message)
        return line?.isEmpty == true ? nil : line
    }

    /// Returns the format and the title of a page, if a response's body is one.
    ///
    /// `isDeclared` is whether its Content-Type says so too.
    static func page(
        in response: HTTPResponse
    ) -> (format: String, title: String?, isDeclared: Bool)? {
        let type = response.mediaType
        let isDeclared = type?.isMarkup == true
        let isText = type.map { $0.type == "text" || $0.subtype.contains("json") } ?? true
        guard isDeclared || isText, let text = beginning(of: response),
            isDeclared || Markup.begins(text)
        else { return nil }
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let isXML = start.starts(with: "<?xml".unicodeScalars)
        return (isXML ? "XML" : "HTML", Markup.title(of: text), isDeclared)
    }

    /// Returns the beginning of a body as text, or nil if it isn't safe to use, see ``CombiningMarks``.
    private static func beginning(of response: HTTPResponse) -> String? {
        // The last of the bytes may be in the middle of a character.
        let whole = (0..<4).lazy
            .compactMap { cut in
                let bytes = response.body.prefix(reach - cut)
                return try? BodyText.decoded(bytes, charset: response.charset)
            }
        let text =
            whole.first
            ?? BodyText.repaired(response.body.prefix(reach), charset: response.charset)
        return CombiningMarks.areTooMany(in: text.utf8) ? nil : text
    }
}

extension MimeType {
    /// Whether the type is that of an HTML page.
    fileprivate var isMarkup: Bool {
        let name = "\(type)/\(subtype)"
        return name == "text/html" || name == "application/xhtml+xml"
    }
}

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
    ///
    /// Members that are empty or only white space are skipped.
    public var message: String {
        let words = [detail, title, status.map { "HTTP \($0)" }, type]
        return words.lazy.compactMap { $0 }.first { !$0.isBlank } ?? ""
    }

    /// Whether the server has words of its own in the members that the RFC has for them.
    var hasWords: Bool { detail?.isBlank == false || title?.isBlank == false }
}
