import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Awkward strings in multipart forms", .timeLimit(.minutes(15)))
struct AwkwardMultipartTests {
    private typealias Upload = DefaultMultipartFormDataRequest<Void, ServerMessage>

    /// The two ways to write a form, which send the same bytes.
    private enum Way: CaseIterable {
        case request, body

        func deliveries() async throws -> [AwkwardDelivery] {
            switch self {
            case .request:
                try await AwkwardDelivery.of { text, headers in
                    Upload(
                        path: "x",
                        body: .form([(text, text)]),
                        headers: headers,
                        files: [
                            DefaultMultipartFile(
                                resource: Data(text.utf8),
                                mime: "text/plain",
                                name: text,
                                fileName: text
                            )
                        ]
                    )
                }
            case .body:
                try await AwkwardDelivery.of { text, headers in
                    let file = FormItem.data(
                        text,
                        Data(text.utf8),
                        fileName: text,
                        mime: "text/plain"
                    )
                    return VoidRequest(
                        path: "x",
                        method: .post,
                        body: .multipart([.field(text, text), file]),
                        headers: headers
                    )
                }
            }
        }
    }

    @Test(
        "sends text, names and file names byte for byte, except quotes and line breaks in names",
        arguments: Way.allCases
    )
    private func parts(_ way: Way) async throws {
        let deliveries = try await way.deliveries()
        for delivery in deliveries {
            let (string, name) = (delivery.string, written(delivery.string.bytes))
            if string.bytes.contains(0) {
                #expect(delivery.record == nil)
                #expect(delivery.isRefused(as: .unencodableBody("a part's name with a NUL")))
                continue
            }
            let record = try #require(delivery.record, "\(string)")
            let type = try #require(record.header("Content-Type")).split(separator: "boundary=")
            let boundary = try #require(type.last.map(String.init))
            let parts = try #require(WireBytes.parts(record.body, boundary: boundary), "\(string)")
            let start = Array("Content-Disposition: form-data; name=\"".utf8) + name
            let file =
                Array("\"; filename=\"".utf8) + name + Array("\"\r\nContent-Type: text/plain".utf8)
            #expect(parts.map(\.head) == [start + [0x22], start + file], "\(string)")
            #expect(parts.map(\.content) == [string.bytes, string.bytes], "\(string)")
            #expect(delivery.isAnswered)
        }
    }

    /// What the WHATWG's HTML standard writes for a name.
    ///
    /// It is not to be undone: a quote and the text `%22` are the same on the wire, in every browser
    /// too. Those are the only names that a server cannot tell apart.
    private func written(_ name: [UInt8]) -> [UInt8] {
        name.flatMap { byte in
            switch byte {
            case 0x22: Array("%22".utf8)
            case 0x0D: Array("%0D".utf8)
            case 0x0A: Array("%0A".utf8)
            default: [byte]
            }
        }
    }
}
