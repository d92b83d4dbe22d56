import NetKit

/// Checks for public suffixes, below which anyone can register domains, such as `co.uk`.
///
/// A cookie for a public suffix would be sent to unrelated servers.
enum PublicSuffixes {
    /// The start of each group in the list, ordered by name.
    ///
    /// Computed on first use.
    private static let starts = PublicSuffixList.groups.withUTF8Buffer { list in
        list.indices.filter { list[$0] == mark }
    }

    /// Returns whether a name is a public suffix by the rules of https://publicsuffix.org/list.
    ///
    /// - Parameter name: A hostname in lowercase and ASCII form, but not an IP address.
    /// - Returns: Whether the name is a public suffix. Every single label is one.
    static func contains(_ name: String) -> Bool {
        var name = Array(name.utf8)[...]
        // Drops the trailing dot of a fully qualified name (RFC 1034, section 3.1).
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return true }
        let (label, parent) = (name[..<dot], name[(dot + 1)...])
        return PublicSuffixList.groups.withUTF8Buffer { list in
            var isThere = false
            for word in words(below: parent, in: list) {
                if word.first == UInt8(ascii: "!"), word.dropFirst().elementsEqual(label) {
                    return false
                }
                if word.elementsEqual(label) || word.elementsEqual([UInt8(ascii: "*")]) {
                    isThere = true
                }
            }
            return isThere
        }
    }

    /// Finds the group of a name and returns its first labels, if any.
    private static func words(
        below parent: ArraySlice<UInt8>,
        in list: UnsafeBufferPointer<UInt8>
    ) -> some Sequence<Slice<UnsafeBufferPointer<UInt8>>> {
        var (low, high) = (starts.startIndex, starts.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            let name = word(from: starts[middle] + 1, in: list)
            if parent.elementsEqual(name) { return words(from: name.endIndex, in: list) }
            if parent.lexicographicallyPrecedes(name) { high = middle } else { low = middle + 1 }
        }
        return words(from: list.endIndex, in: list)
    }

    /// Returns the words from a position up to the next group.
    private static func words(
        from start: Int,
        in list: UnsafeBufferPointer<UInt8>
    ) -> some Sequence<Slice<UnsafeBufferPointer<UInt8>>> {
        var next = start
        return AnyIterator {
            while next < list.endIndex, isBlank(list[next]) { next += 1 }
            guard next < list.endIndex, list[next] != mark else { return nil }
            let word = word(from: next, in: list)
            next = word.endIndex
            return word
        }
    }

    private static func word(
        from start: Int,
        in list: UnsafeBufferPointer<UInt8>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        var end = start
        while end < list.endIndex, !isBlank(list[end]) { end += 1 }
        return list[start..<end]
    }

    private static let mark = UInt8(ascii: "@")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }
}
