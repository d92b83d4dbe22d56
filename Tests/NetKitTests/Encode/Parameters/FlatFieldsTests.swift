import Foundation
import Testing

@testable import NetKit

@Suite("Flat fields")
struct FlatFieldsTests {
    private struct Filter: Encodable, Sendable {
        struct Range: Encodable { let from: Int64, to: Decimal? }
        let name: String
        let range: Range
        let tags: [String]
        let isOpen: Bool
        let rows: [[Int]]
        let none: Int?
    }

    private func text(
        _ value: any Encodable,
        _ encoding: URLEncoding = URLEncoding()
    ) throws -> String {
        try FlatFields.fields(of: value, encoder: JSONEncoder(), encoding: encoding)
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    @Test("lays nested values out under their names, numbers exact")
    func nesting() throws {
        let filter = Filter(
            name: "a b",
            range: .init(from: .max, to: Decimal(string: "0.1")),
            tags: ["x", "y"],
            isOpen: true,
            rows: [[1, 2], []],
            none: nil
        )
        #expect(
            try text(filter)
                == "isOpen=true&name=a b&range[from]=9223372036854775807&range[to]=0.1"
                + "&rows[0][]=1&rows[0][]=2&tags[]=x&tags[]=y"
        )
        let numeric = URLEncoding(arrays: .comma, booleans: .numeric)
        #expect(try text(filter, numeric).hasPrefix("isOpen=1&"))
        #expect(try text(filter, numeric).hasSuffix("&tags=x,y"))
    }

    @Test("refuses what is no object")
    func refusals() {
        for value in [1, "a", [1], Double.nan] as [any Encodable] {
            #expect(throws: InvalidRequest.self) { try text(value) }
        }
    }
}
