import Dispatch
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
    public let algorithm: String
    /// The digest that the file has to have; nil for the one in the response's `Repr-Digest`.
    public let expected: Data?
    private let compute: @Sendable (URL) throws -> Data

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

    /// The value of `Want-Repr-Digest`; nil where the server is not needed.
    var wantedField: String? { expected == nil ? "\(algorithm)=10" : nil }

    /// Compares the digest of `part` with the one it has to have.
    ///
    /// - Parameters:
    ///   - part: What was received.
    ///   - path: What to call it in an error.
    ///   - head: The head of the response.
    /// - Throws: Why it is not the file that was wanted.
    func check(
        _ part: URL,
        named path: String,
        against head: ResponseHead
    ) async throws(DownloadFailure) {
        guard let expected = expected ?? Self.digest(algorithm, in: head.headers[.reprDigest])
        else { throw DownloadFailure(.digestMissing, path) }
        let result: Result<Data, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    continuation.resume(returning: Result { try compute(part) })
                }
        }
        guard case .success(let digest) = result else {
            throw DownloadFailure(.digestUnreadable, path)
        }
        guard digest == expected else { throw DownloadFailure(.digestMismatch, path) }
    }

    /// One digest of `sha-256=:base64:, sha-512=:base64:`, a dictionary of byte sequences (RFC 9651).
    static func digest(_ algorithm: String, in field: String?) -> Data? {
        guard let field else { return nil }
        for member in field.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2,
                parts[0].trimmingCharacters(in: .whitespaces).lowercased() == algorithm
            else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else {
                return nil
            }
            return Data(base64Encoded: String(value[value.index(after: value.startIndex)..<end]))
        }
        return nil
    }
}
