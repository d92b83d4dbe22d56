public import Foundation

/// A request with a `multipart/form-data` body (RFC 7578).
///
/// ```swift
/// final class ReportUpload: MultipartFormDataRequest {
///     typealias ResponseObjectType = Void
///     let path = "reports"
///     let body: RequestBody? = .params(["title": "May"])
///     let files: [any MultipartFile]
///
///     init(report: URL) {
///         files = [DefaultMultipartFile(file: report, mime: .application(.pdf), name: "report")]
///     }
/// }
/// ```
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

/// A source of bytes for a multipart file.
///
/// `Data`, `URL` (of a file), `String` (a file path) and ``StreamResource`` conform. You can also conform a custom
/// type.
public protocol MultipartResourceConvertible: Sendable {
    /// Returns a source of the bytes, with their exact length.
    ///
    /// NetKit calls this method once per request, and opens the source each time it sends the body.
    ///
    /// - Returns: The source.
    /// - Throws: The reason why the bytes can't be read. The call then fails with ``InvalidRequest``, and nothing is
    ///   sent.
    func bodySource() throws -> BodySource
}

/// A source of bytes that opens a new input stream for each transmission.
///
/// A read may take as long as a disk access, but must not wait for anything else, because other transfers wait for it.
/// Over `URLSession` on Linux, these are all of the process.
public struct StreamResource: MultipartResourceConvertible {
    /// The number of bytes in the stream.
    package let length: Int64
    let open: @Sendable () throws -> InputStream

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes, which is sent before the stream. A stream of another length fails the
    ///     call, and a negative one before anything is sent. With 0, the stream isn't opened.
    ///   - open: A closure that returns a new, unopened stream positioned at the first byte.
    public init(length: Int64, open: @escaping @Sendable () throws -> InputStream) {
        self.length = length
        self.open = open
    }
}

/// A part of a `multipart/form-data` body (RFC 7578), see ``RequestBody/multipart(_:)``.
public struct FormItem: Sendable {
    /// What a part contains.
    enum Content: Sendable {
        case value(name: String, any Sendable)
        case file(any MultipartFile)
        case data(name: String, Data, MimeType)
    }

    let content: Content

    init(_ content: Content) { self.content = content }

    /// Creates a text part.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - value: The value, as text: a collection as JSON. A nil value makes no part.
    /// - Returns: The part.
    public static func field(_ name: String, _ value: any ParameterValue) -> FormItem {
        FormItem(.value(name: name, RequestBody.member(value)))
    }

    /// Creates a part from a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - file: A file URL.
    ///   - fileName: The file name sent to the server. Defaults to the last path component of the URL.
    ///   - mime: The media type. Defaults to that of the file extension, or `application/octet-stream` if the extension
    ///     is unknown.
    /// - Returns: The part.
    public static func file(
        _ name: String,
        _ file: URL,
        fileName: String? = nil,
        mime: MimeType? = nil
    ) -> FormItem {
        FormItem(
            .file(DefaultMultipartFile(file: file, mime: mime, name: name, fileName: fileName))
        )
    }

    /// Creates a part from bytes, sent as a file if it has a file name.
    ///
    /// ```swift
    /// .data("metadata", json, mime: .json)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - data: The bytes.
    ///   - fileName: The file name sent to the server. Defaults to nil, for none.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    /// - Returns: The part.
    public static func data(
        _ name: String,
        _ data: Data,
        fileName: String? = nil,
        mime: MimeType = .binary
    ) -> FormItem {
        guard let fileName else { return FormItem(.data(name: name, data, mime)) }
        return FormItem(
            .file(DefaultMultipartFile(resource: data, mime: mime, name: name, fileName: fileName))
        )
    }
}
