/// Replacements in a sequence of bytes, applied from front to back.
struct Edits {
    private let bytes: ArraySlice<UInt8>
    private var result: [UInt8] = []
    /// The end of the range already copied to the result.
    private var copied: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        copied = bytes.startIndex
    }

    /// Replaces a range of bytes.
    ///
    /// Earlier replacements are kept.
    mutating func replace(_ range: Range<Int>, with other: some Collection<UInt8>) {
        guard range.upperBound > copied || range.lowerBound >= copied else { return }
        result += bytes[copied..<max(range.lowerBound, copied)]
        result += other
        copied = range.upperBound
    }

    /// The bytes with all replacements.
    var edited: [UInt8] { result + bytes[copied...] }
}
