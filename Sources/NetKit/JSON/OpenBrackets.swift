/// A stack of open brackets, with one bit per bracket.
struct OpenBrackets {
    enum Kind: UInt64 {
        case square = 0
        case brace = 1

        /// Creates the kind of `[`, `]`, `{` or `}`.
        init(_ byte: UInt8) {
            self = byte & 0x20 == 0 ? .square : .brace
        }
    }

    /// The number of open brackets.
    private(set) var count = 0
    /// The innermost brackets, up to 64, with the last one in the lowest bit.
    private var innermost: UInt64 = 0
    /// The other brackets, 64 per word.
    private var outer: [UInt64] = []

    mutating func push(_ kind: Kind) {
        if count > 0, count.isMultiple(of: 64) {
            outer.append(innermost)
            innermost = 0
        }
        innermost = innermost << 1 | kind.rawValue
        count += 1
    }

    /// Closes the innermost bracket.
    ///
    /// Returns false if it isn't of this kind.
    mutating func pop(_ kind: Kind) -> Bool {
        guard count > 0, innermost & 1 == kind.rawValue else { return false }
        innermost >>= 1
        count -= 1
        if count > 0, count.isMultiple(of: 64) { innermost = outer.removeLast() }
        return true
    }
}
