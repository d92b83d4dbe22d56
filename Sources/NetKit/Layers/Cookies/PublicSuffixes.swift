/// Names below which the public can register domains, such as `co.uk`.
///
/// A cookie for all of them would reach the servers of strangers.
enum PublicSuffixes {
    /// Where the groups of the list begin, in order of their names; read once, with the first domain that a cookie names.
    private static let starts = PublicSuffixList.groups.withUTF8Buffer { list in
        list.indices.filter { list[$0] == mark }
    }

    /// Whether a name is a public suffix by the rules of https://publicsuffix.org/list.
    ///
    /// - Parameter name: A host name in lower case, in A-labels; no IP address.
    /// - Returns: True also for every name of one label.
    static func contains(_ name: String) -> Bool {
        var name = Array(name.utf8)[...]
        // The dot at the end of a whole name (RFC 1034, section 3.1).
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

    /// Finds the group of a name, and gives its first labels; none where there is no such group.
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

    /// The words behind a place, up to the next group.
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
