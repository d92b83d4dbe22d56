public import Foundation

/// The body of a request.
///
/// Each kind of body has a default `Content-Type`, and a `Content-Type` in the request's headers overrides it. One in
/// the endpoint's headers applies only where it can be correct. For `raw` and `string` it always applies. For the three
/// JSON kinds it applies if it is a JSON type such as `application/vnd.api+json`.
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

extension RequestBody: CustomStringConvertible {
    /// The kind and size of the body, without its content.
    public var description: String {
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
