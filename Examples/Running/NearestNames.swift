/// Suggests names for a misspelled one.
enum NearestNames {
    /// Returns up to three names that contain `text` or differ by a few letters, nearest first.
    static func of(_ text: String, among names: [String]) -> [String] {
        let text = text.lowercased()
        let ranked = names.map { name in
            (name: name, distance: name.contains(text) ? 0 : distance(from: text, to: name))
        }
        let near = ranked.filter { $0.distance <= max(2, $0.name.count / 3) }
        return near.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
    }

    /// Returns the Levenshtein distance.
    private static func distance(from first: String, to second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
