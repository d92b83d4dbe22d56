import Testing

@testable import NetKitBench

@Suite("Transfer direction")
struct TransferDirectionTests {
    @Test(
        "lists its clients with the baseline first",
        arguments: [TransferDirection.upload, .download]
    )
    func clients(direction: TransferDirection) {
        #expect(direction.clients.count == 5)
        #expect(direction.clients.first == direction.baseline)
        #expect(direction.clients.allSatisfy { $0.direction == direction })
        #expect(direction.clients.contains { $0.isNetKit })
    }
}
