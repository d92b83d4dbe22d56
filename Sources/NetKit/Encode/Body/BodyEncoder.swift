import Foundation

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
            if value is Data || value is String { throw InvalidRequest(Unencodable(value)) }
            return json(try encode(value, with: encoder ?? defaultEncoder))
        case .form(let fields): return form(fields)
        case .multipart(let items): return try MultipartEncoder.encode(items)
        case .file(let file, let mime): return try self.file(file, mime: mime)
        case .source(let source, let mime):
            return EncodedBody(
                source: ExactLengthReader.source(checking: source),
                mime: mime.rawValue,
                kind: .exact
            )
        case .stream(let pieces):
            return EncodedBody(
                source: try pieces.part?.source() ?? BodySource(pieces),
                mime: pieces.mime.rawValue,
                kind: .exact
            )
        }
    }

    /// The default encoder, with sorted keys, and ISO 8601 dates with milliseconds if there are any.
    private static let defaultEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .withFractionsIfAny
        return encoder
    }()

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
        do {
            return try encoder.encode(value)
        } catch EncodingError.invalidValue(let value, let context) {
            throw InvalidRequest(Unencodable(value, at: context.codingPath))
        } catch {
            throw InvalidRequest(Unencodable(value))
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
        return EncodedBody(
            source: BodySource(Data(bytes)),
            mime: "application/x-www-form-urlencoded",
            kind: .exact
        )
    }

    private static func file(_ file: URL, mime: MimeType?) throws(InvalidRequest) -> EncodedBody {
        let source = try FileReader.source(of: file)
        let type = mime ?? MimeType(fileExtension: file.pathExtension) ?? .binary
        return EncodedBody(source: source, mime: type.rawValue, kind: .exact)
    }
}
