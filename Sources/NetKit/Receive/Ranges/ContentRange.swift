/// The value of `Content-Range`, in bytes (RFC 9110, section 14.4): `bytes 5-9/10`.
struct ContentRange: Equatable, Sendable {
    let first: Int64
    let last: Int64
    /// The length of the whole, nil where the server does not know it.
    let total: Int64?

    /// Reads a value; nil for one that is not satisfied, not in bytes, or contradicts itself.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = bounds[0].asciiNumber(as: Int64.self),
            let last = bounds[1].asciiNumber(as: Int64.self), first <= last
        else { return nil }
        self.first = first
        self.last = last
        guard parts[1] != "*" else {
            total = nil
            return
        }
        guard let total = parts[1].asciiNumber(as: Int64.self), last < total else { return nil }
        self.total = total
    }
}
