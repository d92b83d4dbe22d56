import Foundation
import Testing

@testable import NetKitBench

@Suite("Upload receipt")
struct UploadReceiptTests {
    private let file = TransferFile(url: URL(fileURLWithPath: "/dev/null"), length: 10)

    @Test("decodes from the server's JSON")
    func json() throws {
        let receipt = UploadReceipt(received: 42)
        #expect(try JSONDecoder().decode(UploadReceipt.self, from: receipt.json) == receipt)
    }

    @Test(
        "requires the file's exact size, or a larger one for a wrapped file",
        arguments: [
            (10, false, true), (9, false, false), (11, false, false), (10, true, false),
            (11, true, true),
        ]
    )
    func check(received: Int, isWrapped: Bool, isRight: Bool) {
        let receipt = UploadReceipt(received: received)
        let isAccepted = (try? receipt.check(file, isWrapped: isWrapped)) != nil
        #expect(isAccepted == isRight)
    }
}
