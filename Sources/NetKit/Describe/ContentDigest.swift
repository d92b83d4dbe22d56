public import Foundation

/// A digest that a downloaded file must match before it is moved into place.
///
/// NetKit doesn't compute digests. The closure does, with the library of your choice:
///
/// ```swift
/// let digest = ContentDigest.sha256 { file in
///     Data(SHA256.hash(data: try Data(contentsOf: file, options: .alwaysMapped)))
/// }
/// let request = ReleaseRequest().download(to: file, checking: digest)
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
        self.algorithm = algorithm
        self.expected = expected
        self.compute = compute
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
