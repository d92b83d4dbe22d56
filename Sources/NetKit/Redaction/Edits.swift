/// Bytes some of which are replaced, from the front to the back; all others stay as they are.
struct Edits {
    private let bytes: ArraySlice<UInt8>
    private var result: [UInt8] = []
    /// Everything before it is in the result.
    private var copied: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        copied = bytes.startIndex
    }

    /// Puts other bytes in the place of some; what was replaced before stays replaced.
    mutating func replace(_ range: Range<Int>, with other: some Collection<UInt8>) {
        guard range.upperBound > copied || range.lowerBound >= copied else { return }
        result += bytes[copied..<max(range.lowerBound, copied)]
        result += other
        copied = range.upperBound
    }

    /// The bytes with everything replaced.
    var edited: [UInt8] { result + bytes[copied...] }
}
