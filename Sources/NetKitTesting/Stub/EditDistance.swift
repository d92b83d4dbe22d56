/// The edit distance between two words.
enum EditDistance {
    /// Returns the number of bytes to add, remove or replace (Levenshtein), over the first 100
    /// bytes of each.
    static func between(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8.prefix(100)), Array(right.utf8.prefix(100)))
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
