public import Foundation

/// A request that writes its response to a file and returns the file's URL.
///
/// The rest of the request comes from the original request. The download is written to `name.part` beside the file,
/// and replaces the file when it is complete. Its size isn't limited. A response outside 2xx fails with the
/// request's typed error and doesn't touch the file. A failure to write the file is a ``DownloadFailure``, and a
/// missing folder or permission is detected before the request is sent. `name.part` must be a regular file:
/// symbolic links aren't followed, and a pipe doesn't block the call.
///
/// A canceled or failed call keeps the partial file. If the server sent a strong validator, NetKit records it and the
/// length in `name.part-version`. The next attempt or call for the same file then resumes the download, even from a
/// different URL, if validator and length match: pass a URL of the same content, or check the digest. Without a validator,
/// the download starts over. A hash replaces the end of a name that these endings would make longer than 255 bytes.
///
/// Interceptors of the scopes ``InterceptorScope/attempt`` and ``InterceptorScope/call`` get the response when the file is in
/// its place. One that rejects responses needs the scope ``InterceptorScope/exchange``.
public struct DownloadRequest<Base: Request>: ForwardingRequest {
    /// The error type of the original request.
    public typealias ErrorType = Base.ErrorType
    /// The name of the original request.
    public static var name: String { Base.name }

    /// The original request.
    let base: Base
    /// The file for the response.
    package let file: URL
    /// Whether to resume a partial download.
    package let resuming: Bool
    /// The digest to check before the file is moved into place, if any.
    package let digest: ContentDigest?

    /// The original request.
    public var wrappedRequest: any Request { base }
    /// A decoding that returns the file's URL, because the body is already in the file.
    public var responseDecoding: ResponseDecoding<URL> {
        let file = file
        return ResponseDecoding { _, _ in file }
    }
}

/// The properties of a download that don't depend on its generic type.
package protocol FileDownloading {
    /// The file that receives the response.
    var file: URL { get }
    /// Whether to resume a partial download.
    var resuming: Bool { get }
    /// The digest to check, if any.
    var digest: ContentDigest? { get }
}

extension DownloadRequest: FileDownloading {}

extension Request {
    /// Returns a copy of the request that writes its response to a file.
    ///
    /// - Parameters:
    ///   - file: The destination. An existing file is replaced when the download is complete and its digest matches.
    ///   - resuming: Whether to resume from `name.part` with `Range` and `If-Range` (RFC 9110, section 13.1.5). If the
    ///     server's copy has changed, the download starts over. Defaults to true.
    ///   - digest: The digest to check. If it doesn't match, the download is deleted and the call fails with a
    ///     ``DownloadFailure``. Defaults to nil, for no check.
    /// - Returns: A request that you execute like any other.
    public func download(
        to file: URL,
        resuming: Bool = true,
        checking digest: ContentDigest? = nil
    ) -> DownloadRequest<Self> {
        DownloadRequest(base: self, file: file, resuming: resuming, digest: digest)
    }
}

/// A digest that a downloaded file must match before it is moved into place.
///
/// NetKit doesn't compute digests. The closure does, with the library of your choice:
///
/// ```swift
/// import Crypto  // of the package swift-crypto
///
/// let expected = Data([0x9f, 0x86, …])  // the 32 bytes that you know; leave it out for the server's Repr-Digest
/// let digest = ContentDigest.sha256(expected) { file in
///     Data(SHA256.hash(data: try Data(contentsOf: file, options: .alwaysMapped)))
/// }
/// let saved = try await ReleaseRequest().download(to: file, checking: digest).execute(on: endpoint).value
/// ```
public struct ContentDigest: Sendable {
    /// The algorithm's name in `Repr-Digest` (RFC 9530), such as `sha-256`.
    package let algorithm: String
    /// The expected digest, or nil for the one in the response's `Repr-Digest`.
    package let expected: Data?
    let compute: @Sendable (URL) throws -> Data

    /// Creates a digest check.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm's name in the registry of RFC 9530, in lowercase.
    ///   - expected: The bytes of the expected digest. Defaults to nil: NetKit asks the server for a `Repr-Digest`, and
    ///     a response without this algorithm's digest fails with ``DownloadFailure/Reason/digestMissing``.
    ///   - compute: A closure that computes the digest of a file. It runs once, on a Dispatch thread, after the last
    ///     byte is written.
    public init(
        algorithm: String,
        expected: Data? = nil,
        computing compute: @escaping @Sendable (URL) throws -> Data
    ) {
        (self.algorithm, self.expected, self.compute) = (algorithm, expected, compute)
    }

    /// Creates a check of a file's SHA-256 digest.
    ///
    /// - Parameters:
    ///   - expected: The 32 bytes of the digest. Defaults to nil, the digest in the response's `Repr-Digest`.
    ///   - compute: A closure that computes the SHA-256 digest of a file.
    /// - Returns: The check.
    public static func sha256(
        _ expected: Data? = nil,
        computing compute: @escaping @Sendable (URL) throws -> Data
    ) -> ContentDigest {
        ContentDigest(algorithm: "sha-256", expected: expected, computing: compute)
    }
}
