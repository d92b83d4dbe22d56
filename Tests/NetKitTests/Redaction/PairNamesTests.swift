import Foundation
import Testing

@testable import NetKit

@Suite("Names of pairs")
struct PairNamesTests {
    private static let names = [
        "name", "key", "field", "fieldname", "header", "headername", "id", "k", "kind", "label",
        "param", "parameter",
        "property", "attribute", "type", "variable",
    ]
    private static let values = [
        "value", "values", "val", "v", "content", "contents", "data", "text", "default",
        "stringvalue", "rawvalue", "current",
    ]

    @Test("know every name that labels a value, in any case", arguments: names)
    func labels(name: String) {
        for text in [name, name.uppercased(), name.capitalized] {
            #expect(PairNames.isForName(Array(text.utf8)[...]))
            #expect(!PairNames.isForValue(Array(text.utf8)[...]))
        }
        for text in [name + "x", "x" + name, name + "_"] {
            #expect(!PairNames.isForName(Array(text.utf8)[...]))
        }
    }

    @Test("know every name of a labeled value, in any case", arguments: values)
    func labeled(name: String) {
        for text in [name, name.uppercased(), name.capitalized] {
            #expect(PairNames.isForValue(Array(text.utf8)[...]))
            #expect(!PairNames.isForName(Array(text.utf8)[...]))
        }
        for text in [name + "x", "x" + name, ""] {
            #expect(!PairNames.isForValue(Array(text.utf8)[...]))
        }
    }
}
