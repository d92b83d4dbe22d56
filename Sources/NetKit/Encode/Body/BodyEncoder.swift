package import Foundation
import NetKitSupport

/// An encoder of request bodies.
enum BodyEncoder {
    /// Encodes a body, with its default media type.
    ///
    /// - Parameter body: The body.
    /// - Returns: The encoded body.
    /// - Throws: ``InvalidRequest`` if the body can't be encoded.
    static func encode(_ body: RequestBody) throws(InvalidRequest) -> EncodedBody {
        switch body {
        case .raw(let data): return raw(data)
        case .string(let text):
            return EncodedBody(
                source: BodySource(Data(text.utf8)),
                mime: "text/plain; charset=utf-8",
                kind: .anything
            )
        case .params(let parameters):
            return json(try JSONWriter.data(fromParameters: parameters.values))
        case .json(let value): return json(try JSONWriter.data(from: value))
        case .encodable(let value, let encoder):
            // As a whole document, neither is meant: it would be base64 text, or a text that often is JSON already.
            // An Optional with a value is one of them, too.
            if value is Data { throw InvalidRequest(Unencodable(type: Data.self, at: [])) }
            if value is String { throw InvalidRequest(Unencodable(type: String.self, at: [])) }
            return json(try encode(value, with: encoder ?? JSONValueWriter.encoder))
        case .form(let fields): return form(fields)
        case .multipart(let items): return try MultipartEncoder.encode(items)
        case .file(let file, let mime): return try self.file(file, mime: mime)
        case .source(let source, let mime):
            let checked = try ExactLengthReader.source(checking: source)
            return EncodedBody(source: checked, mime: mime.rawValue)
        case .stream(let pieces):
            let source = try pieces.part?.source() ?? BodySource(pieces)
            return EncodedBody(source: source, mime: pieces.mime.rawValue)
        }
    }

    static func raw(_ data: Data) -> EncodedBody {
        EncodedBody(source: BodySource(data), mime: "application/octet-stream", kind: .anything)
    }

    static func json(_ data: Data) -> EncodedBody {
        EncodedBody(source: BodySource(data), mime: "application/json", kind: .json)
    }

    static func encode(
        _ value: any Encodable,
        with encoder: JSONEncoder
    ) throws(InvalidRequest) -> Data {
        do throws(Unencodable) {
            return try encoder.encodeFinite(value)
        } catch {
            throw InvalidRequest(error)
        }
    }

    /// Encodes `application/x-www-form-urlencoded`, as specified in the WHATWG URL standard.
    static func form(_ fields: [(String, String)]) -> EncodedBody {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            PercentEncoding.append(name, as: .form, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, as: .form, to: &bytes)
        }
        let source = BodySource(Data(bytes))
        return EncodedBody(source: source, mime: "application/x-www-form-urlencoded")
    }

    private static func file(_ file: URL, mime: MimeType?) throws(InvalidRequest) -> EncodedBody {
        let source = try FileReader.source(of: file)
        let type = mime ?? MimeType(fileExtension: file.pathExtension) ?? .binary
        return EncodedBody(source: source, mime: type.rawValue)
    }
}

/// An encoded body with its media type.
struct EncodedBody: Sendable {
    /// The media types that a body can be sent with.
    enum Kind: Sendable {
        /// Any type, for bytes or text.
        case anything
        /// Any JSON type.
        case json
        /// Only the body's type, for a form or a file.
        case exact
        /// Any multipart type, with NetKit's boundary.
        case multipart(boundary: String)
    }

    let source: BodySource
    /// The default media type.
    let mime: String
    var kind = Kind.exact

    /// Returns the media type to send.
    ///
    /// A type in the request's header fields applies. One in the endpoint's fields applies only where it can be
    /// correct: to bytes and text, and to JSON if it is a JSON type. A multipart body only adopts the subtype of a
    /// multipart type, because its boundary is required.
    ///
    /// - Parameters:
    ///   - own: The request's `Content-Type`, if any.
    ///   - endpoint: The endpoint's `Content-Type`, if any.
    /// - Returns: The value of the field.
    func contentType(own: String?, default endpoint: String?) -> String {
        switch kind {
        case .multipart(let boundary):
            let type = (own ?? endpoint).map { MimeType(rawValue: $0) }
            guard let type, type.type == "multipart", type.subtype.isHTTPToken else { return mime }
            return "multipart/\(type.subtype); boundary=\(boundary)"
        case .exact: return own ?? mime
        case .anything: return own ?? endpoint ?? mime
        case .json:
            if let own { return own }
            guard let endpoint else { return mime }
            return MimeType(rawValue: endpoint).isJSON ? endpoint : mime
        }
    }
}

/// A writer of compact JSON (RFC 8259) with sorted keys and exact numbers.
///
/// A whole `Double` is written without a fraction, `1.0` as `1`, as JSONEncoder does. Any other float is written as the
/// shortest text that reads back as the same value.
package enum JSONWriter {
    /// Encodes a dictionary as a JSON object.
    ///
    /// - Parameter parameters: The members.
    /// - Returns: The JSON text.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(
        fromParameters parameters: [String: any Sendable]
    ) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in
            try writer.write(
                object: Array(parameters.keys),
                of: [String: any Sendable].self,
                depth: 0
            ) { (writer, key) throws(Unencodable) in
                guard let value = parameters[key] else { return }
                try writer.write(any: value, depth: 1)
            }
        }
    }

    /// Encodes any value that has a JSON form.
    ///
    /// - Parameter value: The value. `Optional.none` and `NSNull` become null.
    /// - Returns: The JSON text, which can be a scalar.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func data(fromAny value: Any) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try writer.write(any: value, depth: 0) }
    }

    /// Encodes a JSON document.
    ///
    /// - Parameter value: The document.
    /// - Returns: The JSON text.
    /// - Throws: ``InvalidRequest`` with the key path of a number that isn't finite.
    package static func data(from value: JSONValue) throws(InvalidRequest) -> Data {
        try text { (writer) throws(Unencodable) in try value.write(to: &writer, depth: 0) }
    }

    /// Encodes a value as the text of a form or multipart field.
    ///
    /// - Parameters:
    ///   - value: The value. A scalar is written without quotes, a collection as JSON.
    ///   - keyPath: The key path of the value, for the error. Defaults to an empty path.
    /// - Returns: The text, or nil for `Optional.none` and null.
    /// - Throws: ``InvalidRequest`` with the key path of a value that has no JSON form.
    package static func text(
        of value: Any,
        at keyPath: String = ""
    ) throws(InvalidRequest) -> String? {
        do throws(Unencodable) {
            return try JSONValueWriter.fieldText(of: value)
        } catch {
            throw InvalidRequest(error, below: keyPath)
        }
    }

    private static func text(
        _ write: (inout JSONValueWriter) throws(Unencodable) -> Void
    ) throws(InvalidRequest) -> Data {
        var writer = JSONValueWriter()
        do throws(Unencodable) {
            try write(&writer)
        } catch {
            throw InvalidRequest(error)
        }
        return Data(writer.buffer.bytes)
    }
}
