public import Foundation

/// An encoder of `multipart/form-data` (RFC 7578), which reads files while they are sent.
enum MultipartEncoder {
    /// Encodes a form.
    ///
    /// - Parameters:
    ///   - fields: The names and values of the text parts.
    ///   - files: The files, which follow the text parts.
    ///   - boundary: The boundary between the parts. Defaults to a random one.
    /// - Returns: The body, with its exact length. It can be opened repeatedly and returns the same bytes each time.
    /// - Throws: ``InvalidRequest`` for an unreadable file, an invalid name or an invalid media type.
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

    /// Creates a boundary of 192 random bits, so that no content contains it.
    ///
    /// It has 55 of the 70 characters that RFC 2046 allows.
    private static func randomBoundary() -> String {
        var boundary = "netkit-"
        for _ in 0..<3 {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            boundary += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return boundary
    }

    /// Creates a Content-Disposition field.
    ///
    /// Refuses NUL, which ends a name for some servers only.
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

    /// Escapes a name as the WHATWG HTML standard specifies.
    ///
    /// Only quotes and line breaks are escaped, because they could end the value or the line. Everything else is kept,
    /// in UTF-8.
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
            // The text of an unknown error could contain anything, so use only its type.
            throw InvalidRequest(.invalidPart(name: name), "\(name): \(type(of: error))")
        }
    }
}

extension Data: MultipartResourceConvertible {
    /// Creates a source of these bytes.
    public func bodySource() -> BodySource { BodySource(self) }
}

extension URL: MultipartResourceConvertible {
    /// Creates a source that reads the file.
    ///
    /// - Returns: The source.
    /// - Throws: ``InvalidRequest`` if the file isn't a readable regular file.
    public func bodySource() throws -> BodySource { try FileReader.source(of: self) }
}

extension String: MultipartResourceConvertible {
    /// Creates a source that reads the file at this path.
    ///
    /// - Returns: The source.
    /// - Throws: ``InvalidRequest`` if the file isn't a readable regular file.
    public func bodySource() throws -> BodySource {
        try FileReader.source(of: URL(fileURLWithPath: self))
    }
}

extension StreamResource {
    public func bodySource() -> BodySource {
        BodySource(length: length) { try StreamReader(self) }
    }
}
