import Foundation
import Testing

@testable import NetKitBench

@Suite("Form with many parts")
struct PartsFormTests {
    @Test("has parts of 100 bytes, each with its own name")
    func parts() {
        let form = PartsForm(count: 250)
        #expect(Set(form.parts.map(\.name)).count == 250)
        #expect(form.parts.allSatisfy { $0.content.count == 100 })
        #expect(form.contentLength == 25_000)
    }

    @Test("is multipart/form-data on the wire")
    func body() {
        let text = String(decoding: PartsForm(count: 1).body, as: UTF8.self)
        let boundary = PartsForm.boundary
        let content = String(repeating: "part 0, ", count: 12) + "part"
        #expect(content.count == 100)
        #expect(
            text == """
                --\(boundary)\r
                Content-Disposition: form-data; name="part-0"; filename="part-0.txt"\r
                Content-Type: text/plain; charset=utf-8\r
                \r
                \(content)\r
                --\(boundary)--\r\n
                """
        )
    }

    @Test("arrives complete, or the call fails", arguments: PartsClient.allCases)
    func check(client: PartsClient) throws {
        let form = PartsForm(count: 3)
        try client.check(UploadReceipt(received: form.body.count), of: form)
        #expect(throws: WrongAnswer.self) {
            try client.check(UploadReceipt(received: form.contentLength), of: form)
        }
    }
}
