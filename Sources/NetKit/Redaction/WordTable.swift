/// Finds words in text letter by letter: one look-up a letter, however many words there are.
struct WordTable: Sendable {
    /// Where a text begins.
    static let start = 0
    /// Where a text is that begins none of the words.
    static let lost = 1

    /// The next state, in 26 columns for the letters; -1 while the table is made.
    private var next: [Int]
    private var isEnd: [Bool]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - words: The words, in lower-case ASCII letters.
    ///   - anywhere: Whether a word may begin inside of the text (Aho and Corasick's automaton), or only at its start.
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

    /// The letter's column; nil for what is no ASCII letter.
    static func letter(_ byte: UInt8) -> Int? {
        let folded = byte | 0x20
        return (0x61...0x7A).contains(folded) ? Int(folded) - 0x61 : nil
    }

    /// The state behind a letter.
    func step(_ state: Int, _ letter: Int) -> Int { next[state * 26 + letter] }

    /// Whether a word ends here.
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

    /// Where a word breaks off, its longest end that begins another word goes on.
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
