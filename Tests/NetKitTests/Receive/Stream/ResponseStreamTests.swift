import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Response stream")
struct ResponseStreamTests {
    /// How often the transfer of a stream was stopped, once its only reader is gone.
    private func stops(after use: (StreamChannel) throws -> Void) rethrows -> Int {
        let stops = Locked(0)
        let channel = StreamChannel(limit: 10, isResumable: false)
        do {
            let stream = ResponseStream(ResponseHead(status: .ok), channel, decoder: JSONDecoder())
            {
                stops.withLock { $0 += 1 }
            }
            try withExtendedLifetime(stream.makeAsyncIterator()) { try use(channel) }
        }
        return stops.withLock { $0 }
    }

    @Test("stops its transfer when released")
    func letGo() throws {
        #expect(try stops { _ = try $0.begin(ResponseHead(status: .ok)) } > 0)
    }

    @Test("lets the call finish when released after its last byte")
    func over() throws {
        let count = try stops { channel in
            _ = try channel.begin(ResponseHead(status: .ok))
            try channel.write(Data([1]))
            try channel.end()
        }
        #expect(count == 0)
    }

    /// A stream whose whole body has arrived.
    private func stream(_ body: Data) throws -> ResponseStream {
        let head = ResponseHead(status: .ok)
        let channel = StreamChannel(limit: body.count, isResumable: false)
        _ = try channel.begin(head)
        try channel.write(body)
        try channel.end()
        return ResponseStream(head, channel, decoder: JSONDecoder(), stop: {})
    }

    @Test("ends lines and JSON values with the first error, even for a reader that goes on")
    func firstError() async throws {
        var values = try stream(Data("1\nx\n2\n".utf8)).jsonLines(of: Int.self)
            .makeAsyncIterator()
        #expect(try await values.next() == 1)
        await #expect(throws: DecodingFailure.self) { try await values.next() }
        #expect(try await values.next() == nil)
        let long = Data(repeating: UInt8(ascii: "x"), count: (16 << 20) + 1)
        for rest in ["\ny\n", ""] {
            var lines = try stream(long + Data(rest.utf8)).lines.makeAsyncIterator()
            await #expect(throws: StreamFailure.self) { try await lines.next() }
            #expect(try await lines.next() == nil)
        }
    }
}
