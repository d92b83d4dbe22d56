import NetKit
import NetKitTesting
import Testing

@Suite("Awkward strings in header fields", .timeLimit(.minutes(15)))
struct AwkwardHeaderTests {
    private struct InWrapper: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        let headers: HTTPHeaders
        @Header("X-Wrapper") var value: String

        init(_ text: String, _ headers: HTTPHeaders) {
            self.headers = headers
            value = text
        }
    }

    @Test("trims spaces in a header value, and rejects control characters")
    func headers() async throws {
        let deliveries = try await AwkwardDelivery.of { text, headers in
            VoidRequest(path: "x", headers: headers.merging(["X-Plain": text]))
        }
        for delivery in deliveries { try check(delivery, field: "X-Plain") }
    }

    @Test("trims spaces in a @Header value, and rejects control characters")
    func wrappers() async throws {
        let families: Set = ["nothing", "control", "space", "invisible", "header injection"]
        let strings = AwkwardString.all.filter { families.contains($0.family) }
        let deliveries = try await AwkwardDelivery.of(strings) { InWrapper($0, $1) }
        for delivery in deliveries { try check(delivery, field: "X-Wrapper") }
    }

    private func check(_ delivery: AwkwardDelivery, field: String) throws {
        let (string, bytes) = (delivery.string, delivery.string.bytes)
        if delivery.isRefused(as: .invalidHeader(name: field)) {
            #expect(bytes.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "\(string)")
            return
        }
        #expect(!bytes.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "\(string)")
        let record = try #require(delivery.record, "\(string)")
        #expect(delivery.isAnswered)
        let values = record.headers(named: field).map { Array($0.utf8) }
        #expect(values == [trimmed(bytes)], "\(string)")
    }

    /// The value of a field line: spaces and tabs at its ends are no part of it (RFC 9110, section 5.5).
    private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        return bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    }
}
