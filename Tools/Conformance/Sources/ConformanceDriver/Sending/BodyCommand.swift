import Foundation
import NetKit

/// The body of a request.
enum BodyCommand: Decodable {
    case json(JSONValue)
    case text(String)
    case form([[String]])
    case data(Data)
    /// So many letters `a`, in memory.
    case letters(Int)
    case stream([Data], length: Int64?)
    case file(String, mime: String?)
    case multipart(fields: [[String]], files: [File])

    struct File: Decodable {
        let name: String
        let fileName: String
        let mime: String
        let data: Data
    }

    private enum CodingKeys: String, CodingKey {
        case kind, value, pieces, length, path, mime, fields, files
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        switch try body.decode(String.self, forKey: .kind) {
        case "json": self = .json(try body.decode(JSONValue.self, forKey: .value))
        case "text": self = .text(try body.decode(String.self, forKey: .value))
        case "form": self = .form(try body.decode([[String]].self, forKey: .value))
        case "data": self = .data(try body.decode(Data.self, forKey: .value))
        case "letters": self = .letters(try body.decode(Int.self, forKey: .length))
        case "stream":
            self = .stream(
                try body.decode([Data].self, forKey: .pieces),
                length: try body.decodeIfPresent(Int64.self, forKey: .length)
            )
        case "file":
            self = .file(
                try body.decode(String.self, forKey: .path),
                mime: try body.decodeIfPresent(String.self, forKey: .mime)
            )
        case "multipart":
            self = .multipart(
                fields: try body.decodeIfPresent([[String]].self, forKey: .fields) ?? [],
                files: try body.decodeIfPresent([File].self, forKey: .files) ?? []
            )
        case let kind:
            throw DecodingError.dataCorruptedError(
                forKey: .kind,
                in: body,
                debugDescription: "there is no body \(kind)"
            )
        }
    }

    /// The body of a request; the fields of a form with files.
    func requestBody() throws -> RequestBody {
        switch self {
        case .json(let value): return .json(value)
        case .text(let text): return .string(text)
        case .form(let fields), .multipart(let fields, _):
            return .form(try fields.map { try $0.pair })
        case .data(let data): return .raw(data)
        case .letters(let length): return .raw(Data(repeating: UInt8(ascii: "a"), count: length))
        case .stream(let pieces, let length):
            let sequence = AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
            return .stream(sequence, length: length)
        case .file(let path, let mime):
            return .file(URL(fileURLWithPath: path), mime: mime.map(MimeType.init(rawValue:)))
        }
    }

    /// The files of a form; nil for any other body.
    var files: [any MultipartFile]? {
        guard case .multipart(_, let files) = self else { return nil }
        return files.map {
            DefaultMultipartFile(
                resource: $0.data,
                mime: MimeType(rawValue: $0.mime),
                name: $0.name,
                fileName: $0.fileName
            )
        }
    }
}
