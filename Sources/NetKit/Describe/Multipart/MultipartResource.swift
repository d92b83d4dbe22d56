public import Foundation

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
public struct StreamResource: MultipartResourceConvertible {
    /// The number of bytes in the stream.
    package let length: Int64
    let open: @Sendable () throws -> InputStream

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes, which is sent before the stream. A shorter stream fails the call, and
    ///     bytes beyond this length aren't sent.
    ///   - open: A closure that returns a new, unopened stream positioned at the first byte.
    public init(length: Int64, open: @escaping @Sendable () throws -> InputStream) {
        self.length = max(0, length)
        self.open = open
    }
}
