/// The brackets that are open at some place of a JSON text, one bit each.
struct OpenBrackets {
    /// The kind of a bracket.
    enum Kind: UInt64 {
        case square = 0
        case brace = 1

        /// The kind of one of `[`, `]`, `{`, `}`.
        init(_ byte: UInt8) {
            self = byte & 0x20 == 0 ? .square : .brace
        }
    }

    /// How many brackets are open.
    private(set) var count = 0
    /// The innermost brackets, up to 64 of them, the last one lowest.
    private var innermost: UInt64 = 0
    /// The others, 64 a word.
    private var outer: [UInt64] = []

    /// Opens a bracket.
    mutating func push(_ kind: Kind) {
        if count > 0, count.isMultiple(of: 64) {
            outer.append(innermost)
            innermost = 0
        }
        innermost = innermost << 1 | kind.rawValue
        count += 1
    }

    /// Closes the innermost bracket; false if there is none of this kind.
    mutating func pop(_ kind: Kind) -> Bool {
        guard count > 0, innermost & 1 == kind.rawValue else { return false }
        innermost >>= 1
        count -= 1
        if count > 0, count.isMultiple(of: 64) { innermost = outer.removeLast() }
        return true
    }
}
