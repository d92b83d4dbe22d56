import Foundation
import Testing

@testable import NetKitBench

@Suite("Item")
struct ItemTests {
    @Test("is 1,024 bytes of JSON that decode to an equal item")
    func size() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(Item.sample)
        #expect(json.count == 1024)
        #expect(try JSONDecoder().decode(Item.self, from: json) == .sample)
    }
}
