/// A state machine that finds words letter by letter, with one table lookup per letter.
struct WordTable: Sendable {
    /// The state at the start of a text.
    static let start = 0
    /// The state after letters that begin none of the words.
    static let lost = 1

    /// The next states, in 26 columns per state.
    ///
    /// Contains -1 only during construction.
    private var next: [Int]
    private var isEnd: [Bool]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - words: The words, in lowercase ASCII letters.
    ///   - anywhere: Whether a word can begin anywhere in the text (the Aho–Corasick algorithm), or only at its start.
    init(_ words: [String], anywhere: Bool) {
        next = Array(repeating: -1, count: 26) + Array(repeating: Self.lost, count: 26)
        isEnd = [false, false]
        for word in words {
            var state = Self.start
            for byte in word.utf8 {
                guard let letter = Self.letter(byte) else { continue }
                state = child(of: state, letter)
            }
            isEnd[state] = true
        }
        if anywhere {
            linkSuffixes()
        } else {
            next = next.map { $0 < 0 ? Self.lost : $0 }
        }
    }

    /// Returns the letter's column, or nil if the byte isn't an ASCII letter.
    static func letter(_ byte: UInt8) -> Int? {
        let folded = byte | 0x20
        return (0x61...0x7A).contains(folded) ? Int(folded) - 0x61 : nil
    }

    /// Returns the state after a letter.
    func step(_ state: Int, _ letter: Int) -> Int { next[state * 26 + letter] }

    /// Whether a word ends in this state.
    func accepts(_ state: Int) -> Bool { isEnd[state] }

    private mutating func child(of state: Int, _ letter: Int) -> Int {
        let place = state * 26 + letter
        if next[place] < 0 {
            next[place] = isEnd.count
            next += Array(repeating: -1, count: 26)
            isEnd.append(false)
        }
        return next[place]
    }

    /// Links each state to that of its longest suffix that begins another word.
    private mutating func linkSuffixes() {
        var suffix = Array(repeating: Self.start, count: isEnd.count)
        var queue = [Self.start]
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            for letter in 0..<26 {
                let other = state == Self.start ? Self.start : next[suffix[state] * 26 + letter]
                let place = state * 26 + letter
                let child = next[place]
                guard child >= 0 else {
                    next[place] = other
                    continue
                }
                suffix[child] = other
                if isEnd[other] { isEnd[child] = true }
                queue.append(child)
            }
        }
    }
}
