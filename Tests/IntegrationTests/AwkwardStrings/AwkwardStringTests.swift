import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Awkward strings", .timeLimit(.minutes(15)))
struct AwkwardStringTests {
    private struct InPath: Request {
        typealias ResponseObjectType = Void
        let path = "a/{value}/b"
        let headers: HTTPHeaders
        @Path("value") var value: String

        init(_ text: String, _ headers: HTTPHeaders) {
            self.headers = headers
            value = text
        }
    }

    private struct InQuery: Request {
        typealias ResponseObjectType = Void
        let path = "x"
        let headers: HTTPHeaders
        let queryParams: [(String, String)]
        @Query var value: String

        init(_ text: String, _ headers: HTTPHeaders) {
            self.headers = headers
            queryParams = [(text, text)]
            _value = Query(wrappedValue: text, text)
        }
    }

    @Test("has more than 500 distinct strings, the same in every run")
    func strings() {
        let all = AwkwardString.all
        #expect(all.count > 500)
        #expect(Set(all.map(\.bytes)).count == all.count)
        #expect(
            SeededGenerator(seed: 0).first(2) == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]
        )
    }

    @Test("stays one path segment, byte for byte, and rejects empty and dot segments")
    func path() async throws {
        let deliveries = try await AwkwardDelivery.of { InPath($0, $1) }
        for delivery in deliveries {
            guard !["", ".", ".."].contains(delivery.string.text) else {
                #expect(delivery.isRefused(as: .unsafePathParameter("value")), "\(delivery.string)")
                continue
            }
            let segments = delivery.record?.target.utf8.split(separator: UInt8(ascii: "/"))
                .map { WireBytes.decoded($0, plusIsSpace: false) }
            #expect(delivery.isAnswered, "\(delivery.string)")
            #expect(segments == [[0x61], delivery.string.bytes, [0x62]], "\(delivery.string)")
        }
    }

    @Test("sends query names and values byte for byte, whether or not a plus means a space")
    func query() async throws {
        let deliveries = try await AwkwardDelivery.of { InQuery($0, $1) }
        for delivery in deliveries {
            let (string, bytes) = (delivery.string, delivery.string.bytes)
            let target = try #require(delivery.record?.target.utf8, "\(string)")
            #expect(target.starts(with: "/x?".utf8))
            for plusIsSpace in [true, false] {
                let items = WireBytes.items(target.dropFirst(3), plusIsSpace: plusIsSpace)
                #expect(items == [[bytes, bytes], [bytes, bytes]], "\(string)")
            }
            #expect(delivery.isAnswered)
        }
    }

    @Test("sends form names and values byte for byte")
    func form() async throws {
        let deliveries = try await AwkwardDelivery.of { text, headers in
            VoidRequest(
                path: "x",
                method: .post,
                body: .form([(text, text), ("last", text)]),
                headers: headers
            )
        }
        for delivery in deliveries {
            let (string, bytes) = (delivery.string, delivery.string.bytes)
            let body = try #require(delivery.record?.body, "\(string)")
            let items = WireBytes.items(body, plusIsSpace: true)
            #expect(items == [[bytes, bytes], [Array("last".utf8), bytes]], "\(string)")
            #expect(delivery.isAnswered)
        }
    }
}

extension SeededGenerator {
    /// The first numbers that it gives.
    fileprivate func first(_ count: Int) -> [UInt64] {
        var copy = self
        return (0..<count).map { _ in copy.next() }
    }
}
