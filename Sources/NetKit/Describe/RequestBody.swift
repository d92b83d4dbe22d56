public import Foundation
package import NetKitSupport

/// The body of a request.
///
/// Each kind of body has a default `Content-Type`, and a `Content-Type` in the request's headers overrides it. One in
/// the endpoint's headers applies only where it can be correct. For `raw` and `string` it always applies. For the three
/// JSON kinds it applies if it is a JSON type such as `application/vnd.api+json`, and for `multipart` if it is a multipart
/// type.
public enum RequestBody: Sendable {
    /// Bytes, sent as `application/octet-stream`.
    case raw(Data)
    /// Text, sent as `text/plain; charset=utf-8`.
    case string(String)
    /// A JSON object with sorted keys, sent as `application/json`.
    ///
    /// Values can be strings, Booleans, numbers (encoded exactly), dates (ISO 8601, with milliseconds if there are any),
    /// URLs, UUIDs, `Decimal`, `Data` (base64), and any `Encodable` value. Optionals, and arrays and dictionaries of these
    /// values, work too. Nil is null; a ``MultipartFormDataRequest`` leaves it out. Any other value is refused with
    /// ``InvalidRequest/Reason/unencodableBody(_:)``, which contains its key path.
    case params(Parameters)
    /// A JSON document, sent as `application/json`.
    case json(JSONValue)
    /// An encodable value, sent as `application/json`.
    ///
    /// The default encoder sorts keys. It writes dates as ISO 8601, with milliseconds if there are any. A `Data` or a
    /// `String` is refused with ``InvalidRequest/Reason/unencodableBody(_:)``: `raw` and `string` send them as they are.
    case encodable(any Encodable & Sendable, encoder: JSONEncoder? = nil)
    /// Form fields, in this order, sent as `application/x-www-form-urlencoded` (WHATWG URL standard).
    case form([(String, String)])
    /// A file, read while it is sent. The media type defaults to that of the file extension.
    ///
    /// Symbolic links are followed, and anything but a regular file is refused. Kernel files that report a length of 0,
    /// such as those in `/proc`, are read in advance, up to 1 MiB.
    case file(URL, mime: MimeType? = nil)
    /// The parts of a form, in this order, sent as `multipart/form-data` (RFC 7578).
    ///
    /// ```swift
    /// .multipart([.field("title", "Cat"), .file("photo", photo)])
    /// ```
    case multipart([FormItem])
    /// Bytes of a known length, opened again each time they are sent. The media type defaults to
    /// `application/octet-stream`.
    ///
    /// They are read while they are sent, without a copy in memory or a temporary file, and sent again by retries and
    /// redirects. A source that is shorter or longer than its length fails the call, and the request isn't completed:
    /// the ``TransportError/underlying`` error is an ``InvalidRequest`` with the problem
    /// ``InvalidRequest/BodyProblem/wrongLength(_:announced:)``. A source of length 0 isn't opened. A read may take as
    /// long as a disk access, but must not wait for anything else, because other transfers wait for it.
    ///
    /// ```swift
    /// .source(BodySource(length: 5_000_000) { try ArchiveReader(archive) })
    /// .source(StreamResource(length: 5_000_000) { InputStream(data: archive) }.bodySource())
    /// ```
    case source(BodySource, mime: MimeType = .binary)
    /// An asynchronous sequence of data, see ``stream(_:mime:length:isLive:)``, or a part of a file, see
    /// ``file(_:range:mime:)``.
    case stream(BodySequence)
}

extension RequestBody: Concealed {
    /// The kind and size of the body, without its content.
    package var shown: String {
        switch self {
        case .raw(let data): "raw (\(data.count) bytes)"
        case .string(let text): "string (\(text.utf8.count) bytes)"
        case .params(let parameters): "params (\(parameters.values.count))"
        case .json: "json"
        case .encodable: "encodable"
        case .form(let fields): "form (\(fields.count))"
        case .multipart(let items): "multipart (\(items.count))"
        case .file(let file, _): "file (\(file.lastPathComponent))"
        case .source(let source, _): "source (\(source.length) bytes)"
        case .stream(let pieces):
            if let part = pieces.part {
                "file (\(part.file.lastPathComponent), bytes \(part.range))"
            } else {
                "stream (\(pieces.length.map { "\($0) bytes" } ?? "of any length"))"
            }
        }
    }
}

/// A request body produced piece by piece, such as by an `AsyncStream` or another response.
///
/// URLSession must know the length of a body and be able to read it twice. NetKit therefore writes the sequence to a
/// temporary file before sending it, which also lets it retry the request. No other process can open that file. It
/// disappears with the call, even if the process crashes.
///
/// A live sequence is sent as it is produced, as fast as the server accepts it, over a transport that supports this
/// (``Transport/sendsSequences``). Because NetKit doesn't keep the data, it sends a live sequence only once. The call
/// isn't retried. A 401, or a redirect that would repeat the body, becomes the response. If the sequence throws, its
/// error is the cause of a ``TransportError``; that of any other sequence fails the call as
/// ``ErrorResponse/interceptor(_:)``, before anything is sent. The idle timeout keeps running while NetKit waits for the
/// next piece.
///
/// ``RequestBody/stream(_:mime:length:isLive:)`` creates one.
public struct BodySequence: Sendable {
    /// The media type.
    package let mime: MimeType
    /// The total number of bytes, or nil if unknown.
    ///
    /// A sequence that produces a different number of bytes is refused.
    public let length: Int64?
    /// Whether the sequence is sent as it is produced, over a transport that supports it.
    public let isLive: Bool
    /// The part of a file that the sequence stands for, if any.
    ///
    /// Such a body is sent from the file, and never becomes a sequence.
    let part: FilePart?
    private let iterate: @Sendable (_ take: (Data) async throws -> Void) async throws -> Void

    /// Creates a body from an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - sequence: The pieces of the body. The sequence is iterated once per call, not once per attempt.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: The total number of bytes. Defaults to nil, an unknown length.
    ///   - isLive: Whether to send the sequence as it is produced, over a transport that supports it. Defaults to
    ///     false.
    package init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil,
        isLive: Bool = false
    ) where Pieces.Element: DataProtocol {
        self.init(mime: mime, length: length, isLive: isLive) { take in
            for try await piece in sequence { try await take(piece as? Data ?? Data(piece)) }
        }
    }

    init(
        mime: MimeType,
        length: Int64?,
        isLive: Bool,
        part: FilePart? = nil,
        iterate: @escaping @Sendable (_ take: (Data) async throws -> Void) async throws -> Void
    ) {
        (self.mime, self.length, self.isLive, self.part) = (mime, length, isLive, part)
        self.iterate = iterate
    }

    /// Calls a closure with each piece, in order.
    ///
    /// - Parameter take: A closure that receives the next piece. The sequence isn't asked for another piece until the
    ///   closure returns.
    /// - Throws: Any error that the closure or the sequence throws.
    public func forEach(_ take: (Data) async throws -> Void) async throws {
        try await iterate(take)
    }
}

/// A part of a file.
package struct FilePart: Sendable {
    /// The URL of the file.
    package let file: URL
    /// The offsets of its bytes, beginning at 0.
    package let range: Range<Int64>
    /// The state that the file must have, or nil for the one that it has when the request is made.
    let state: FileState?

    package init(_ file: URL, range: Range<Int64>, of state: FileState? = nil) {
        (self.file, self.range, self.state) = (file, range, state)
    }
}

extension RequestBody {
    /// Creates a body from an asynchronous sequence; see ``BodySequence``.
    ///
    /// ```swift
    /// var body: RequestBody? { .stream(lines, mime: "application/x-ndjson") }
    /// ```
    ///
    /// - Parameters:
    ///   - sequence: The pieces of the body. The sequence is iterated once per call.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    ///   - length: The total number of bytes. Defaults to nil, an unknown length.
    ///   - isLive: Whether to send the sequence as it is produced, over a transport that supports it. It is then sent
    ///     only once. Defaults to false.
    /// - Returns: The body.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        mime: MimeType = .binary,
        length: Int64? = nil,
        isLive: Bool = false
    ) -> RequestBody where Pieces.Element: DataProtocol {
        .stream(BodySequence(sequence, mime: mime, length: length, isLive: isLive))
    }
}

/// A value in the `params` of a ``RequestBody``.
///
/// Strings, numbers, Booleans, dates, URLs, UUIDs, `Data`, ``JSONValue``, and Optionals, arrays, sets and dictionaries of
/// anything conform. To use a custom type in a form, or in a nested literal of mixed types, add a conformance:
/// `extension Color: ParameterValue {}`. The value must have a JSON form; see ``RequestBody``.
public protocol ParameterValue {}

extension Bool: ParameterValue {}
extension String: ParameterValue {}
extension Substring: ParameterValue {}
extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}
extension Double: ParameterValue {}
extension Float: ParameterValue {}
extension Decimal: ParameterValue {}
extension Date: ParameterValue {}
extension URL: ParameterValue {}
extension UUID: ParameterValue {}
extension Data: ParameterValue {}
extension JSONValue: ParameterValue {}
extension Optional: ParameterValue {}
extension Array: ParameterValue {}
extension Set: ParameterValue {}
extension Dictionary: ParameterValue where Key == String {}

extension RequestBody {
    /// The members of a JSON object.
    ///
    /// A literal can mix types and nest dictionaries and arrays without a cast if all values conform to
    /// ``ParameterValue``:
    ///
    /// ```swift
    /// .params(["name": name, "address": ["city": city, "zip": 8004, "tags": ["home", true]]])
    /// ```
    @dynamicMemberLookup
    public struct Parameters: ExpressibleByDictionaryLiteral, Sequence, Sendable {
        /// The values by name.
        package private(set) var values: [String: any Sendable]

        init(_ values: [String: any Sendable]) { self.values = values }

        /// Creates members from a literal.
        ///
        /// Of several values for a name, the last one counts.
        public init(dictionaryLiteral elements: (String, any ParameterValue)...) {
            self.init(elements)
        }

        package init(_ elements: [(String, any ParameterValue)]) {
            var values: [String: any Sendable] = [:]
            for (name, value) in elements { values[name] = RequestBody.member(value) }
            self.values = values
        }

        /// The values by name, to be changed or passed on.
        public var dictionary: [String: any Sendable] { values }

        /// The value with a name, or nil without one.
        public subscript(name: String) -> (any Sendable)? {
            get { values[name] }
            set { values[name] = newValue }
        }

        /// The number of members.
        public var count: Int { values.count }

        /// A property of the dictionary, such as `keys` or `isEmpty`.
        public subscript<Member>(
            dynamicMember member: KeyPath<[String: any Sendable], Member>
        ) -> Member {
            values[keyPath: member]
        }

        /// Returns an iterator over the names and values, in no order.
        public func makeIterator() -> Dictionary<String, any Sendable>.Iterator {
            values.makeIterator()
        }
    }

    /// Creates a body of bytes with a media type, such as `.raw(lines, mime: "application/x-ndjson")`.
    public static func raw(_ data: Data, mime: MimeType) -> RequestBody {
        .source(BodySource(data), mime: mime)
    }

    /// Creates a body of UTF-8 text with a media type, such as `.string(xml, mime: "application/xml")`.
    public static func string(_ text: String, mime: MimeType) -> RequestBody {
        .raw(Data(text.utf8), mime: mime)
    }

    /// Creates a JSON object from a dictionary with values of one type, by the rules of the case with the same name.
    public static func params<Value: ParameterValue>(_ values: [String: Value]) -> RequestBody {
        .params(Parameters(values.mapValues { member($0) }))
    }

    /// Creates a JSON object from a dictionary with values of any types, by the rules of the case with the same name.
    @_disfavoredOverload
    public static func params(_ values: [String: any Sendable]) -> RequestBody {
        .params(Parameters(values))
    }

    /// Creates a JSON object from a literal with variables, by the rules of ``params(_:)-enum.case``.
    @_disfavoredOverload
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>
    ) -> RequestBody {
        .members(members)
    }

    /// Creates a JSON object from encodable values, with `null` for nil.
    ///
    /// Of several values for a name, the last one counts.
    static func members(
        _ pairs: some Sequence<(key: String, value: (any Encodable & Sendable)?)>
    ) -> RequestBody {
        var values: [String: any Sendable] = [:]
        for (name, value) in pairs { values[name] = value ?? JSONValue.null }
        return .params(values)
    }

    /// Creates a JSON document of an encodable value, by the rules of ``encodable(_:encoder:)``.
    ///
    /// A literal is a ``JSONValue``.
    @_disfavoredOverload
    public static func json(_ value: some Encodable & Sendable) -> RequestBody { .encodable(value) }

    /// Creates form fields from a literal of pairs, in its order.
    public static func form(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        .form(fields.map { ($0.key, $0.value) })
    }

    /// Creates form fields from a dictionary, sorted by name.
    @_disfavoredOverload
    public static func form(_ fields: [String: String]) -> RequestBody {
        .form(fields.sortedByName.map { ($0.0, $0.1) })
    }

    /// Creates form fields from a literal of values of any types, in its order and without nil values.
    ///
    /// ```swift
    /// .form(["mode": "payment", "line_items": [["price": price, "quantity": 2]]])
    /// // mode=payment&line_items[0][price]=p_1&line_items[0][quantity]=2
    /// ```
    ///
    /// - Parameters:
    ///   - fields: The fields. The members of a dictionary in a field are sorted by name.
    ///   - encoding: The format of arrays, Booleans, dates and nested names. Defaults to brackets, literals and ISO 8601.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func form(
        _ fields: KeyValuePairs<String, (any ParameterValue)?>,
        encoding: URLEncoding = URLEncoding()
    ) -> RequestBody {
        .form([(String, String)](fields, encoding))
    }

    static func member(_ value: any ParameterValue) -> any Sendable {
        switch value {
        case let text as String: text
        case let flag as Bool where type(of: value) == Bool.self: flag
        case let number as Int where type(of: value) == Int.self: number
        case let number as Double where type(of: value) == Double.self: number
        case let date as Date: date
        case let url as URL: url
        case let uuid as UUID: uuid
        case let data as Data: data
        case let decimal as Decimal: decimal
        case let json as JSONValue: json
        default: WrittenJSON(value)
        }
    }
}

extension RequestBody: ExpressibleByDictionaryLiteral {
    /// Creates a JSON object from a literal, by the rules of ``params(_:)-enum.case``, with `null` for nil.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
        self = .params(Parameters(elements.map { ($0.0, $0.1 ?? JSONValue.null) }))
    }
}
