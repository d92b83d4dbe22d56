import Foundation
import NetKit

/// A form of texts and files.
struct Form {
    struct File {
        /// The source of the bytes.
        enum Origin: CaseIterable {
            case data, url, path, stream, fileStream
        }

        var name: String
        var fileName: String
        var mime: MimeType
        var bytes: Data
        var origin: Origin
    }

    /// Names and values in the expected order.
    var texts: [(name: String, value: String)]
    /// Whether the texts are passed as a dictionary, whose names NetKit sorts.
    var isDictionary: Bool
    var files: [File]

    /// A form of zero to six texts and zero to five files.
    static func random(using generator: inout SeededGenerator) -> Form {
        let isDictionary = Int.random(in: 0..<4, using: &generator) > 0
        var texts = (0..<Int.random(in: 0...6, using: &generator))
            .map { _ in
                (
                    name: AwkwardName.random(using: &generator),
                    value: AwkwardContent.text(using: &generator)
                )
            }
        if isDictionary {
            let unique = Dictionary(
                texts.map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
            texts = unique.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        }
        let files = (0..<Int.random(in: 0...5, using: &generator))
            .map { _ in
                File(
                    name: AwkwardName.random(using: &generator),
                    fileName: AwkwardName.random(using: &generator),
                    mime: mimes.randomElement(using: &generator) ?? .binary,
                    bytes: AwkwardContent.bytes(using: &generator),
                    origin: File.Origin.allCases.randomElement(using: &generator) ?? .data
                )
            }
        return Form(texts: texts, isDictionary: isDictionary, files: files)
    }

    private static let mimes: [MimeType] = [
        .binary, "image/png", "text/plain; charset=utf-8", "text/plain; charset=iso-8859-1",
        "application/vnd.api+json", "multipart/mixed; boundary=x", #"text/x; a="b; c=\"d\"""#,
    ]
}

extension Form {
    /// Creates the request that sends the form.
    ///
    /// - Parameter folder: The folder for files on disk.
    /// - Returns: The request.
    /// - Throws: An error when a file can't be written.
    func request(
        filesIn folder: URL
    ) throws -> DefaultMultipartFormDataRequest<Void, ServerMessage> {
        let body: RequestBody =
            if isDictionary {
                .params(
                    Dictionary(
                        uniqueKeysWithValues: texts.map { ($0.name, $0.value as any Sendable) }
                    )
                )
            } else {
                .form(texts.map { ($0.name, $0.value) })
            }
        return DefaultMultipartFormDataRequest(
            path: "form",
            body: body,
            files: try files.map { try $0.part(in: folder) }
        )
    }
}

extension Form.File {
    fileprivate func part(in folder: URL) throws -> DefaultMultipartFile {
        DefaultMultipartFile(
            resource: try resource(in: folder),
            mime: mime,
            name: name,
            fileName: fileName
        )
    }

    private func resource(in folder: URL) throws -> any MultipartResourceConvertible {
        let bytes = bytes
        let file = folder.appending(path: "é %20;\(UUID().uuidString)")
        let length = Int64(bytes.count)
        switch origin {
        case .data: return bytes
        case .stream: return StreamResource(length: length) { InputStream(data: bytes) }
        case .url, .path, .fileStream: try bytes.write(to: file)
        }
        switch origin {
        case .url: return file
        case .path: return file.path
        default:
            return StreamResource(length: length) {
                guard let stream = InputStream(url: file) else { throw CocoaError(.fileNoSuchFile) }
                return stream
            }
        }
    }
}
