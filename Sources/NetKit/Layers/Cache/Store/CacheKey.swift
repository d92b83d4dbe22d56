import Foundation

/// What a cache looks stored responses up by.
struct CacheKey: Hashable, Sendable {
    /// The URL of the request, without its fragment.
    let url: String
    /// Whose response it is; empty for a request without credentials.
    ///
    /// Never a credential itself: it may be written to a disk.
    let partition: String
    /// Made once: a call looks its key up several times.
    private let hash: Int

    init(url: String, partition: String) {
        self.url = url
        self.partition = partition
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(partition)
        hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    /// The text of a URL without its fragment.
    static func text(of url: URL) -> String {
        let text = url.absoluteString
        let mark = text.utf8.withContiguousBytes { $0.firstIndex(of: UInt8(ascii: "#")) }
        return mark.map { String(Substring(text.utf8.prefix($0))) } ?? text
    }
}
