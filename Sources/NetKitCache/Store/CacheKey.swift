import Foundation
import NetKit

/// A key for looking up stored responses.
struct CacheKey: Hashable, Sendable {
    /// The URL of the request without its fragment.
    let url: String
    /// The user of the response, or an empty string for a request without credentials.
    ///
    /// It never contains a credential, because it may be written to disk.
    let partition: String
    /// Whether the partition names a user, and not only the host of a `Host` field.
    let isCredentialed: Bool
    /// The precomputed hash, because a call looks up its key several times.
    private let hash: Int

    /// The beginning of a partition that names the host of a `Host` field.
    static let hostMark = "host "
    /// The text between the parts of a partition.
    static let separator = ", "

    init(url: String, partition: String) {
        self.url = url
        self.partition = partition
        isCredentialed =
            !partition.isEmpty
            && !(partition.hasPrefix(Self.hostMark) && !partition.contains(Self.separator))
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(partition)
        hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    /// Returns the text of a URL without its fragment.
    static func text(of url: URL) -> String {
        let text = url.absoluteString
        let mark = text.utf8.withContiguousBytes { $0.firstIndex(of: UInt8(ascii: "#")) }
        return mark.map { String(Substring(text.utf8.prefix($0))) } ?? text
    }
}
