import Foundation

/// Makes `multipart/form-data` of text parts and files (RFC 7578), read while it is sent.
enum MultipartEncoder {
    /// The body of a form.
    ///
    /// - Parameters:
    ///   - fields: Names and values of the text parts.
    ///   - files: The files, sent behind them.
    ///   - boundary: What separates the parts; 128 random bits and more by default, so that it stands
    ///     in no content.
    /// - Returns: The body, of exactly known length.
    /// - Throws: ``InvalidRequest`` for a file that cannot be read.
    static func encode(
        fields: [(String, String)],
        files: [any MultipartFile],
        boundary: String = "netkit-" + UUID().uuidString + UUID().uuidString
    ) throws(InvalidRequest) -> EncodedBody {
        var parts: [BodySource] = []
        var pending = Data()
        for (name, value) in fields {
            pending.append(contentsOf: "--\(boundary)\r\n".utf8)
            pending.append(contentsOf: disposition(name: name, fileName: nil).utf8)
            pending.append(contentsOf: "\r\n\(value)\r\n".utf8)
        }
        for file in files {
            pending.append(contentsOf: "--\(boundary)\r\n".utf8)
            pending.append(contentsOf: disposition(name: file.name, fileName: file.fileName).utf8)
            guard !file.mime.rawValue.utf8.contains(where: { $0 < 0x20 }) else {
                throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.contentType.rawName))
            }
            pending.append(contentsOf: "Content-Type: \(file.mime)\r\n\r\n".utf8)
            parts.append(BodySource(pending))
            parts.append(try source(of: file.resource))
            pending = Data("\r\n".utf8)
        }
        pending.append(contentsOf: "--\(boundary)--\r\n".utf8)
        parts.append(BodySource(pending))
        return EncodedBody(
            source: ConcatenatedBody.source(of: parts),
            contentType: "multipart/form-data; boundary=\(boundary)"
        )
    }

    private static func disposition(name: String, fileName: String?) -> String {
        var line = "Content-Disposition: form-data; name=\"\(escaped(name))\""
        if let fileName { line += "; filename=\"\(escaped(fileName))\"" }
        return line + "\r\n"
    }

    /// What the WHATWG's HTML standard does with names: only these three could end the quotes or the
    /// line; all else stays as it is, in UTF-8.
    private static func escaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "%22".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x0A: bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func source(
        of resource: any MultipartResourceConvertible
    ) throws(InvalidRequest) -> BodySource {
        switch resource {
        case let data as Data: return BodySource(data)
        case let file as URL: return try fileSource(file)
        case let path as String: return try fileSource(URL(fileURLWithPath: path))
        case let stream as StreamResource:
            return BodySource(length: stream.length) { try StreamReader(stream) }
        default: throw InvalidRequest(.unencodableBody("\(type(of: resource))"))
        }
    }

    private static func fileSource(_ file: URL) throws(InvalidRequest) -> BodySource {
        let length = try FileReader.length(of: file)
        return BodySource(length: length, file: file) { try FileReader(file, length: length) }
    }
}
