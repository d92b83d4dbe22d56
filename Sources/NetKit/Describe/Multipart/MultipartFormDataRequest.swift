public import Foundation

/// A request with a `multipart/form-data` body (RFC 7578).
///
/// The method is POST by default. The fields of a `.params`, `.form` or `.multipart` body, or the members of an ``Object``,
/// become parts before the files. Any other body is refused. Files are read while they are sent, and the length of the body is known in advance. A
/// `Content-Type` in the headers applies if it is a multipart type, but NetKit always generates the boundary.
public protocol MultipartFormDataRequest: Request {
    /// The files, in sending order.
    var files: [any MultipartFile] { get }
}

extension MultipartFormDataRequest {
    public var method: HTTPMethod { .post }
}

/// A file in a multipart form.
public protocol MultipartFile: Sendable {
    /// The source of the bytes.
    var resource: any MultipartResourceConvertible { get }
    /// The media type.
    var mime: MimeType { get }
    /// The name of the form field. Defaults to ``fileName``.
    var name: String { get }
    /// The file name sent to the server.
    var fileName: String { get }
}

extension MultipartFile {
    public var name: String { fileName }
}

/// A ready-made multipart file.
public struct DefaultMultipartFile: MultipartFile {
    public var resource: any MultipartResourceConvertible
    public var mime: MimeType
    public var name: String
    public var fileName: String

    /// Creates a multipart file from a file on disk.
    ///
    /// - Parameters:
    ///   - file: A file URL.
    ///   - mime: The media type. Defaults to that of the file extension, or `application/octet-stream` if the extension
    ///     is unknown.
    ///   - name: The name of the form field. Defaults to the file name sent to the server.
    ///   - fileName: The file name sent to the server. Defaults to the last path component of the URL.
    public init(file: URL, mime: MimeType? = nil, name: String? = nil, fileName: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        self.init(
            resource: file,
            mime: mime ?? MimeType(fileExtension: file.pathExtension) ?? .binary,
            name: name ?? fileName,
            fileName: fileName
        )
    }

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - resource: The source of the bytes: `Data`, a file URL, a path or a ``StreamResource``.
    ///   - mime: The media type.
    ///   - name: The name of the form field.
    ///   - fileName: The file name sent to the server.
    public init(
        resource: any MultipartResourceConvertible,
        mime: MimeType,
        name: String? = nil,
        fileName: String
    ) {
        self.resource = resource
        self.mime = mime
        self.name = name ?? fileName
        self.fileName = fileName
    }
}
