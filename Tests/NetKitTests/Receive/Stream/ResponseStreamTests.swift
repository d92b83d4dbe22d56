import Foundation
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
}
