public import Foundation

/// The content of a request.
///
/// It brings its own `Content-Type`, which gives way to one in the request's headers. One in the
/// endpoint's headers is meant for all kinds of bodies and counts where it can be true: for `raw` and
/// `string`, and for the three kinds of JSON if it is a type of JSON such as
/// `application/vnd.api+json`.
public enum RequestBody: Sendable {
    /// Bytes, as `application/octet-stream`.
    case raw(Data)
    /// Text, as `text/plain; charset=utf-8`.
    case string(String)
    /// A JSON object with sorted keys, as `application/json`.
    ///
    /// Values may be what Swift users put in a dictionary: dictionaries and arrays of these, Optionals
    /// (nil is null), numbers (exact), strings, Booleans, dates (ISO 8601), URLs, UUIDs, `Decimal`,
    /// `Data` (base64), and anything `Encodable`. Anything else is refused as
    /// ``InvalidRequest/Reason/unencodableBody(_:)`` with its key path.
    case params([String: any Sendable])
    /// Any JSON document, as `application/json`.
    case json(JSONValue)
    /// Any value that can be encoded, as `application/json`.
    ///
    /// Without an encoder keys are sorted and dates are ISO 8601.
    case encodable(any Encodable & Sendable, encoder: JSONEncoder? = nil)
    /// Names and values in this order, as `application/x-www-form-urlencoded` (WHATWG URL standard).
    case form([(String, String)])
    /// A file, read while it is sent. Without a media type that of its extension is used.
    ///
    /// Links are followed; anything but a regular file is refused. One of the kernel's files, such as those below
    /// `/proc`, which say that they are empty, is read beforehand, up to 1 MiB.
    case file(URL, mime: MimeType? = nil)
    /// Pieces that come one after the other; see ``stream(_:mime:length:isLive:)``.
    case stream(BodySequence)
}

extension RequestBody: CustomStringConvertible {
    /// The kind of body, with nothing of what is in it.
    public var description: String {
        switch self {
        case .raw(let data): "raw (\(data.count) bytes)"
        case .string(let text): "string (\(text.utf8.count) bytes)"
        case .params(let parameters): "params (\(parameters.count))"
        case .json: "json"
        case .encodable: "encodable"
        case .form(let fields): "form (\(fields.count))"
        case .file(let file, _): "file (\(file.lastPathComponent))"
        case .stream(let pieces):
            "stream (\(pieces.length.map { "\($0) bytes" } ?? "of any length"))"
        }
    }
}
