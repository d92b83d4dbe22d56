public import Foundation

/// A request whose content is `multipart/form-data` (RFC 7578).
///
/// The `.params` or `.form` of its body become text parts, before the files, and so do the members of an
/// ``Object``. Other bodies cannot be combined with files and are refused. The bytes of files are read while they are sent, and the
/// length is known beforehand. A `Content-Type` in the headers is used if it is a multipart type; what
/// separates the parts is always NetKit's own.
public protocol MultipartFormDataRequest: Request {
    /// The files in the order in which they are sent.
    var files: [any MultipartFile] { get }
}

/// One file of a multipart form.
public protocol MultipartFile: Sendable {
    /// Where the bytes come from.
    var resource: any MultipartResourceConvertible { get }
    /// What the bytes are.
    var mime: MimeType { get }
    /// The form field. Defaults to ``fileName``.
    var name: String { get }
    /// The name that the server is told.
    var fileName: String { get }
}

extension MultipartFile {
    public var name: String { fileName }
}

/// A file of a multipart form that needs no type of its own.
public struct DefaultMultipartFile: MultipartFile {
    public var resource: any MultipartResourceConvertible
    public var mime: MimeType
    public var name: String
    public var fileName: String

    /// Makes a file whose form field has the file's name.
    ///
    /// - Parameters:
    ///   - resource: Where the bytes come from: `Data`, a file URL, a path or a ``StreamResource``.
    ///   - mime: What the bytes are.
    ///   - fileName: The name that the server is told, and of the form field.
    public init(resource: any MultipartResourceConvertible, mime: MimeType, fileName: String) {
        self.init(resource: resource, mime: mime, name: fileName, fileName: fileName)
    }

    /// Makes a part of a file on disk.
    ///
    /// - Parameters:
    ///   - file: A file URL.
    ///   - mime: What the bytes are. By default that of the file's extension, else
    ///     `application/octet-stream`.
    ///   - name: The form field. By default the name that the server is told.
    ///   - fileName: The name that the server is told. By default the last component of the URL.
    public init(file: URL, mime: MimeType? = nil, name: String? = nil, fileName: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        self.init(
            resource: file,
            mime: mime ?? MimeType(fileExtension: file.pathExtension) ?? .binary,
            name: name ?? fileName,
            fileName: fileName
        )
    }

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - resource: Where the bytes come from: `Data`, a file URL, a path or a ``StreamResource``.
    ///   - mime: What the bytes are.
    ///   - name: The form field.
    ///   - fileName: The name that the server is told.
    public init(
        resource: any MultipartResourceConvertible,
        mime: MimeType,
        name: String,
        fileName: String
    ) {
        self.resource = resource
        self.mime = mime
        self.name = name
        self.fileName = fileName
    }
}
