public import Foundation

/// A digest that a downloaded file has to have before it is put in its place.
///
/// NetKit computes no digests itself; the closure does, with whichever library the program has:
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
    /// The digest that the file has to have; nil for the one in the response's `Repr-Digest`.
    package let expected: Data?
    let compute: @Sendable (URL) throws -> Data

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm's name in the registry of RFC 9530, in lower case.
    ///   - expected: The digest's bytes. Without them the server is asked for a `Repr-Digest`, and a
    ///     response that has none of this algorithm fails as
    ///     ``DownloadFailure/Reason/digestMissing``.
    ///   - compute: Computes the digest of a whole file. Runs once, on a thread of Dispatch's, after
    ///     the last byte was written.
    public init(
        algorithm: String,
        expected: Data? = nil,
        computing compute: @escaping @Sendable (URL) throws -> Data
    ) {
        self.algorithm = algorithm
        self.expected = expected
        self.compute = compute
    }

    /// Checks the SHA-256 of a file.
    ///
    /// - Parameters:
    ///   - expected: The 32 bytes; nil for those of the response's `Repr-Digest`.
    ///   - compute: Computes the SHA-256 of a file.
    /// - Returns: The check.
    public static func sha256(
        _ expected: Data? = nil,
        computing compute: @escaping @Sendable (URL) throws -> Data
    ) -> ContentDigest {
        ContentDigest(algorithm: "sha-256", expected: expected, computing: compute)
    }
}
