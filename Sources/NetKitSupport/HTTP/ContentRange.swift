/// A `Content-Range` value in bytes (RFC 9110, section 14.4), such as `bytes 5-9/10`.
package struct ContentRange: Equatable, Sendable {
    package let first: Int64
    package let last: Int64
    /// The complete length in bytes, or nil if the server doesn't state it.
    package let total: Int64?

    /// Parses a field value.
    ///
    /// Returns nil for an unsatisfied range, a unit other than bytes, or inconsistent numbers.
    package init?(_ text: String) {
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
