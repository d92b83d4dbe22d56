public import Foundation
import NetKitSupport

/// An encoder of `multipart/form-data` (RFC 7578), which reads files while they are sent.
enum MultipartEncoder {
    /// Encodes a form.
    ///
    /// - Parameters:
    ///   - items: The parts, in sending order.
    ///   - boundary: The boundary between the parts. Defaults to a random one.
    /// - Returns: The body, with its exact length. It can be opened repeatedly and returns the same bytes each time.
    /// - Throws: ``InvalidRequest`` for an unreadable file, an invalid name or an invalid media type.
    static func encode(
        _ items: [FormItem],
        boundary: String = FormPartHead.randomBoundary()
    ) throws(InvalidRequest) -> EncodedBody {
        var bytes = MultipartBytes(boundary: boundary)
        var form: [FormPart] = []
        form.reserveCapacity(items.count)
        for item in items {
            let (name, source): (String, BodySource)
            var (fileName, mime): (String?, MimeType?) = (nil, nil)
            switch item.content {
            case .value(let field, let value):
                guard let text = try text(of: value, named: field) else { continue }
                (name, source) = (field, BodySource(Data(text.utf8)))
            case .data(let field, let data, let type):
                (name, source, mime) = (field, BodySource(data), type)
            case .file(let file):
                (name, fileName, mime) = (file.name, file.fileName, file.mime)
                source = try self.source(of: file.resource, named: name)
            }
            try bytes.begin(name: name, fileName: fileName, mime: mime)
            bytes.append(source)
            form.append(FormPart(name: name, fileName: fileName, mime: mime, source: source))
        }
        guard var source = ConcatenatedBody.source(of: bytes.end()) else {
            throw InvalidRequest(.tooLong, "files longer than 2^63 bytes")
        }
        (source.parts, source.hasExactLength) = (form, true)
        return EncodedBody(
            source: source,
            mime: "multipart/form-data; boundary=\(boundary)",
            kind: .multipart(boundary: boundary)
        )
    }

    private static func text(
        of value: any Sendable,
        named name: String
    ) throws(InvalidRequest) -> String? {
        if let text = value as? String { return text }
        return try JSONWriter.text(of: value, at: name)
    }

    private static func source(
        of resource: any MultipartResourceConvertible,
        named name: String
    ) throws(InvalidRequest) -> BodySource {
        do {
            return try ExactLengthReader.source(checking: resource.bodySource())
        } catch let error as InvalidRequest {
            throw error
        } catch {
            // The text of an unknown error could contain anything, so use only its type.
            throw InvalidRequest(.invalidPart(name: name), "\(name): \(type(of: error))")
        }
    }
}

/// The sources of a form's bytes, with small parts and everything between the parts merged in memory.
private struct MultipartBytes {
    /// The longest part in memory that is copied instead of being a source of its own, which costs more.
    private static let longestCopy = 1 << 10
    /// The length at which copied bytes become a source.
    private static let block = 1 << 16

    private let boundary: String
    private var sources: [BodySource] = []
    private var pending: [UInt8] = []

    init(boundary: String) { self.boundary = boundary }

    /// Begins a part, up to its content.
    mutating func begin(name: String, fileName: String?, mime: MimeType?) throws(InvalidRequest) {
        // Refuses NUL, which ends a name for some servers only.
        guard !name.utf8.contains(0), fileName?.utf8.contains(0) != true else {
            throw InvalidRequest(.invalidPart(name: name), "a part's name with a NUL")
        }
        let type = mime?.rawValue
        if let type, type.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.contentType.rawName))
        }
        FormPartHead.append(boundary, name: name, fileName: fileName, type: type, to: &pending)
    }

    /// Adds the content of a part, and ends the part.
    mutating func append(_ source: BodySource) {
        if let data = source.data, data.count <= Self.longestCopy {
            data.withUnsafeBytes { pending.append(contentsOf: $0) }
            if pending.count >= Self.block { endBlock() }
        } else {
            endBlock()
            sources.append(source)
        }
        pending += "\r\n".utf8
    }

    /// Ends the form.
    mutating func end() -> [BodySource] {
        pending += "--\(boundary)--\r\n".utf8
        endBlock()
        return sources
    }

    private mutating func endBlock() {
        guard !pending.isEmpty else { return }
        sources.append(BodySource(Data(pending)))
        pending.removeAll(keepingCapacity: true)
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
