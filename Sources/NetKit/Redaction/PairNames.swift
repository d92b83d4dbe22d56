/// Names of members or attributes that label a value next to them: `{"name": "password", "value": "…"}`.
enum PairNames {
    /// Whether a member with this name can label a value next to it.
    static func isForName(_ name: ArraySlice<UInt8>) -> Bool { contains(names, name) }

    /// Whether a member with this name can hold a labeled value.
    static func isForValue(_ name: ArraySlice<UInt8>) -> Bool { contains(values, name) }

    private static func contains(_ words: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
        words.contains { word in
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
