/// Names of members and attributes that say what another one is, and of those that it has its value in:
/// `{"name": "password", "value": "…"}`.
enum PairNames {
    /// Whether what has this name may be the name of something beside it.
    static func isForName(_ name: ArraySlice<UInt8>) -> Bool { contains(names, name) }

    /// Whether what has this name may be the value of something that is named beside it.
    static func isForValue(_ name: ArraySlice<UInt8>) -> Bool { contains(values, name) }

    private static func contains(_ words: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 12 else { return false }
        return words.contains { word in
            word.count == name.count && zip(word, name).allSatisfy { $0 == HTTPToken.folded($1) }
        }
    }

    private static let names = [
        "name", "key", "field", "fieldname", "header", "headername", "id", "k", "kind", "label",
        "param", "parameter", "property", "attribute", "type", "variable",
    ]
    .map { Array($0.utf8) }

    private static let values = [
        "value", "values", "val", "v", "content", "contents", "data", "text", "default",
        "stringvalue", "rawvalue", "current",
    ]
    .map { Array($0.utf8) }
}
