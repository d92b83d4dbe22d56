public import Foundation

/// Makes `multipart/form-data` of text parts and files (RFC 7578), read while it is sent.
enum MultipartEncoder {
    /// The body of a form.
    ///
    /// - Parameters:
    ///   - fields: Names and values of the text parts.
    ///   - files: The files, sent behind them.
    ///   - boundary: What separates the parts; random by default.
    /// - Returns: The body, of exactly known length. It can be opened again and gives the same bytes.
    /// - Throws: ``InvalidRequest`` for a file that cannot be read.
    static func encode(
        fields: [(String, String)],
        files: [any MultipartFile],
        boundary: String = randomBoundary()
    ) throws(InvalidRequest) -> EncodedBody {
        var parts: [BodySource] = []
        var pending = Data()
        var form = fields.map { name, value in
            FormPart(name: name, fileName: nil, mime: nil, source: BodySource(Data(value.utf8)))
        }
        for (name, value) in fields {
            pending.append(contentsOf: "--\(boundary)\r\n".utf8)
            pending.append(contentsOf: try disposition(name: name, fileName: nil).utf8)
            pending.append(contentsOf: "\r\n\(value)\r\n".utf8)
        }
        for file in files {
            pending.append(contentsOf: "--\(boundary)\r\n".utf8)
            pending.append(
                contentsOf: try disposition(name: file.name, fileName: file.fileName).utf8
            )
            guard !file.mime.rawValue.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.contentType.rawName))
            }
            pending.append(contentsOf: "Content-Type: \(file.mime)\r\n\r\n".utf8)
            parts.append(BodySource(pending))
            let source = try source(of: file.resource, named: file.name)
            parts.append(source)
            form.append(
                FormPart(name: file.name, fileName: file.fileName, mime: file.mime, source: source)
            )
            pending = Data("\r\n".utf8)
        }
        pending.append(contentsOf: "--\(boundary)--\r\n".utf8)
        parts.append(BodySource(pending))
        guard var source = ConcatenatedBody.source(of: parts) else {
            throw InvalidRequest(.tooLong, "files longer than 2^63 bytes")
        }
        source.parts = form
        return EncodedBody(
            source: source,
            mime: "multipart/form-data; boundary=\(boundary)",
            kind: .multipart(boundary: boundary)
        )
    }

    /// 192 random bits, so that it stands in no content; 55 of the 70 characters that RFC 2046 allows.
    private static func randomBoundary() -> String {
        var boundary = "netkit-"
        for _ in 0..<3 {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            boundary += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return boundary
    }

    /// A NUL ends a name for some readers and not for others, so that there can be none.
    private static func disposition(
        name: String,
        fileName: String?
    ) throws(InvalidRequest) -> String {
        guard !name.utf8.contains(0), fileName?.utf8.contains(0) != true else {
            throw InvalidRequest(.invalidPart(name: name), "a part's name with a NUL")
        }
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
        of resource: any MultipartResourceConvertible,
        named name: String
    ) throws(InvalidRequest) -> BodySource {
        do {
            return try resource.bodySource()
        } catch let error as InvalidRequest {
            throw error
        } catch {
            // The texts of an unknown error may hold anything.
            throw InvalidRequest(.invalidPart(name: name), "\(name): \(type(of: error))")
        }
    }
}

extension Data: MultipartResourceConvertible {
    /// These bytes.
    public func bodySource() -> BodySource { BodySource(self) }
}

extension URL: MultipartResourceConvertible {
    /// The bytes of the file.
    ///
    /// - Returns: The source.
    /// - Throws: ``InvalidRequest`` if there is no regular file that can be read.
    public func bodySource() throws -> BodySource { try FileReader.source(of: self) }
}

extension String: MultipartResourceConvertible {
    /// The bytes of the file with this path.
    ///
    /// - Returns: The source.
    /// - Throws: ``InvalidRequest`` if there is no regular file that can be read.
    public func bodySource() throws -> BodySource {
        try FileReader.source(of: URL(fileURLWithPath: self))
    }
}

extension StreamResource {
    public func bodySource() -> BodySource {
        BodySource(length: length) { try StreamReader(self) }
    }
}
