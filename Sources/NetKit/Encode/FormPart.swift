/// One part of a multipart form, for those who write it down in another way than as bytes.
package struct FormPart: Sendable {
    /// The part's name.
    package let name: String
    /// The name of its file; nil for a field of text.
    package let fileName: String?
    /// The media type that it is sent with; nil for a field of text.
    package let mime: MimeType?
    /// Its content.
    package let source: BodySource
}
