public import Foundation

/// A part of a `multipart/form-data` body (RFC 7578), see ``RequestBody/multipart(_:)``.
public struct FormItem: Sendable {
    /// What a part contains.
    enum Content: Sendable {
        case value(name: String, any Sendable)
        case file(any MultipartFile)
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

    /// Creates a part from bytes, sent as a file.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - data: The bytes.
    ///   - fileName: The file name sent to the server.
    ///   - mime: The media type. Defaults to `application/octet-stream`.
    /// - Returns: The part.
    public static func data(
        _ name: String,
        _ data: Data,
        fileName: String,
        mime: MimeType = .binary
    ) -> FormItem {
        FormItem(
            .file(DefaultMultipartFile(resource: data, mime: mime, name: name, fileName: fileName))
        )
    }
}
