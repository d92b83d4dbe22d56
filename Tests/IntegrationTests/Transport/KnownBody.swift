import Foundation
import NetKit
import Testing

/// A body whose length is known before it is sent, and the bytes that it has to be on the wire.
struct KnownBody: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let body: @Sendable (UploadFolder) throws -> RequestBody?
    private let files: @Sendable (UploadFolder) throws -> [DefaultMultipartFile]
    private let bytes: @Sendable (_ boundary: String) -> Data

    /// The bytes on the wire.
    ///
    /// - Parameter contentType: The `Content-Type` they came with, which names a boundary.
    /// - Returns: The bytes.
    func bytes(as contentType: String?) -> Data {
        bytes(contentType.flatMap { MimeType($0)?.parameters["boundary"] } ?? "")
    }

    /// Whether there are no bytes.
    var isEmpty: Bool { bytes("").isEmpty }

    /// Posts the body.
    ///
    /// - Parameters:
    ///   - path: Where to.
    ///   - endpoint: Over what.
    ///   - folder: Where its files are put.
    ///   - retries: How often it may be sent again.
    /// - Returns: The answer.
    /// - Throws: What the call failed with.
    func post(
        to path: String,
        on endpoint: Endpoint,
        filesIn folder: UploadFolder,
        retries: Int = 0
    ) async throws -> String {
        let files = try files(folder)
        let body = try body(folder)
        guard files.isEmpty else {
            let upload = DefaultMultipartFormDataRequest<String, ServerMessage>(
                path: path,
                body: body,
                files: files
            )
            return try await upload.execute(on: endpoint, retrying: retries).value
        }
        let request = TextRequest(path: path, method: .post, body: body)
        return try await request.execute(on: endpoint, retrying: retries).value
    }
}

extension KnownBody {
    /// Every kind of body, small and large, and those of no bytes.
    static let all: [KnownBody] =
        [(10, "small"), (300_001, "large")].flatMap { count, size in kinds(count, size) }
        + [
            KnownBody("raw, empty", { _ in .raw(Data()) }) { _ in Data() },
            KnownBody("string, empty", { _ in .string("") }) { _ in Data() },
            KnownBody("form, empty", { _ in .form([]) }) { _ in Data() },
            KnownBody(
                "part of a file, empty",
                { .file(try $0.file(.pattern(10)), range: 10..<10) },
                bytes: { _ in Data() }
            ),
            KnownBody("file, empty", { .file(try $0.file(Data())) }) { _ in Data() },
            KnownBody(filePart: "multipart from an empty file", 0) { try $0.file(Data()) },
            KnownBody("none", { _ in nil }) { _ in Data() },
        ]

    private static func kinds(_ count: Int, _ size: String) -> [KnownBody] {
        let bytes = Data.pattern(count)
        let text = String(repeating: "x", count: count)
        let json = Data(#"{"a":"\#(text)"}"#.utf8)
        return [
            KnownBody("raw, \(size)", { _ in .raw(bytes) }) { _ in bytes },
            KnownBody("string, \(size)", { _ in .string("é" + text) }) { _ in Data("é\(text)".utf8)
            },
            KnownBody("params, \(size)", { _ in .params(["a": text]) }) { _ in json },
            KnownBody("encodable, \(size)", { _ in .encodable(["a": text]) }) { _ in json },
            KnownBody("form, \(size)", { _ in .form([("a", text)]) }) { _ in Data("a=\(text)".utf8)
            },
            KnownBody("file, \(size)", { .file(try $0.file(bytes)) }) { _ in bytes },
            KnownBody(
                "part of a file, \(size)",
                { folder in
                    let file = try folder.file(Data("abc".utf8) + bytes + Data("xyz".utf8))
                    return .file(file, range: 3..<Int64(count + 3))
                },
                bytes: { _ in bytes }
            ),
            KnownBody(filePart: "multipart from Data, \(size)", count) { _ in bytes },
            KnownBody(filePart: "multipart from a file, \(size)", count) { try $0.file(bytes) },
            KnownBody(filePart: "multipart from a path, \(size)", count) {
                try $0.file(bytes).path
            },
            KnownBody(filePart: "multipart from a stream, \(size)", count) { _ in
                StreamResource(length: Int64(count)) { InputStream(data: bytes) }
            },
            KnownBody(
                "multipart as a body, \(size)",
                { folder in
                    .multipart([
                        .field("t", "v"),
                        .file("f", try folder.file(bytes), fileName: "f", mime: .binary),
                    ])
                },
                bytes: { form(of: count, boundary: $0) }
            ),
        ]
    }

    private init(
        _ name: String,
        _ body: @escaping @Sendable (UploadFolder) throws -> RequestBody?,
        bytes: @escaping @Sendable (_ boundary: String) -> Data
    ) {
        testDescription = name
        self.body = body
        files = { _ in [] }
        self.bytes = bytes
    }

    /// A form of a text and one file of the pattern.
    private init(
        filePart name: String,
        _ count: Int,
        _ resource: @escaping @Sendable (UploadFolder) throws -> any MultipartResourceConvertible
    ) {
        testDescription = name
        body = { _ in .params(["t": "v"]) }
        files = { folder in
            [DefaultMultipartFile(resource: try resource(folder), mime: .binary, fileName: "f")]
        }
        bytes = { form(of: count, boundary: $0) }
    }
}

/// The form of a text and one file of the pattern.
private func form(of count: Int, boundary: String) -> Data {
    let head = """
        --\(boundary)\r
        Content-Disposition: form-data; name="t"\r
        \r
        v\r
        --\(boundary)\r
        Content-Disposition: form-data; name="f"; filename="f"\r
        Content-Type: application/octet-stream\r
        \r

        """
    return Data(head.utf8) + Data.pattern(count) + Data("\r\n--\(boundary)--\r\n".utf8)
}
