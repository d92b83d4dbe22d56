import Foundation

/// A body and what it is.
struct EncodedBody: Sendable {
    let source: BodySource
    let contentType: String
    /// Whether the type only says that nothing is known; an endpoint's `Content-Type` says more then.
    var isGeneric = false
}

/// Turns a ``RequestBody`` into bytes.
enum BodyEncoder {
    /// The bytes of a body, with the media type that they have unless a header says otherwise.
    ///
    /// - Parameter body: The body.
    /// - Returns: The bytes.
    /// - Throws: ``InvalidRequest`` if they cannot be made.
    static func encode(_ body: RequestBody) throws(InvalidRequest) -> EncodedBody {
        switch body {
        case .raw(let data):
            return EncodedBody(
                source: BodySource(data),
                contentType: "application/octet-stream",
                isGeneric: true
            )
        case .string(let text):
            return EncodedBody(
                source: BodySource(Data(text.utf8)),
                contentType: "text/plain; charset=utf-8",
                isGeneric: true
            )
        case .params(let parameters):
            return json(try JSONWriter.data(fromParameters: parameters))
        case .json(let value):
            return json(try JSONWriter.data(from: value))
        case .encodable(let value, let encoder):
            return json(try encode(value, with: encoder ?? defaultEncoder))
        case .form(let fields):
            return form(fields)
        case .file(let file, let mime):
            return try self.file(file, mime: mime)
        }
    }

    /// Keys sorted, dates as ISO 8601: what `params` make of the same values.
    static let defaultEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    static func json(_ data: Data) -> EncodedBody {
        EncodedBody(source: BodySource(data), contentType: "application/json")
    }

    static func encode(
        _ value: any Encodable,
        with encoder: JSONEncoder
    ) throws(InvalidRequest) -> Data {
        do {
            return try encoder.encode(value)
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
            }
            let joined = path.joined()
            let keyPath = joined.hasPrefix(".") ? String(joined.dropFirst()) : joined
            throw InvalidRequest(.unencodableBody(keyPath))
        } catch {
            throw InvalidRequest(.unencodableBody(""))
        }
    }

    static func form(_ fields: [(String, String)]) -> EncodedBody {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            PercentEncoding.append(name, as: .form, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, as: .form, to: &bytes)
        }
        return EncodedBody(
            source: BodySource(Data(bytes)),
            contentType: "application/x-www-form-urlencoded"
        )
    }

    private static func file(_ file: URL, mime: MimeType?) throws(InvalidRequest) -> EncodedBody {
        let length = try FileReader.length(of: file)
        let type = mime ?? MimeType(fileExtension: file.pathExtension) ?? .binary
        let source = BodySource(length: length, file: file) {
            try FileReader(file, length: length)
        }
        return EncodedBody(source: source, contentType: type.rawValue)
    }
}
