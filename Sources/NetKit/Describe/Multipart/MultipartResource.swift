public import Foundation

/// Where the bytes of a multipart file come from: `Data`, a file URL, a `String` that is a file's
/// path, a ``StreamResource``, or a type of your own.
public protocol MultipartResourceConvertible: Sendable {
    /// The bytes, with their length, which is sent before them.
    ///
    /// Asked for once for each request; the source is opened for each time that the body is sent.
    ///
    /// - Returns: The source.
    /// - Throws: What keeps the bytes from being read. The call fails with ``InvalidRequest``, and nothing is sent.
    func bodySource() throws -> BodySource
}

/// Bytes that are read from a stream, which can be opened afresh whenever the body is sent again.
public struct StreamResource: MultipartResourceConvertible {
    /// How many bytes the stream gives.
    package let length: Int64
    let open: @Sendable () throws -> InputStream

    /// Makes a resource.
    ///
    /// - Parameters:
    ///   - length: How many bytes the stream gives, exactly; it is sent before the bytes are. A stream
    ///     that gives fewer fails the call; what it has beyond that is not sent.
    ///   - open: Makes a stream at the first byte, not opened yet.
    public init(length: Int64, open: @escaping @Sendable () throws -> InputStream) {
        self.length = max(0, length)
        self.open = open
    }
}
