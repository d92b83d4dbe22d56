import Foundation
import Testing

@testable import NetKit

@Suite("A response stream")
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

    @Test("that is let go of ends its transfer")
    func letGo() throws {
        #expect(try stops { _ = try $0.begin(ResponseHead(status: .ok)) } > 0)
    }

    @Test("that is let go of after its last byte lets the call come to its end")
    func over() throws {
        let count = try stops { channel in
            _ = try channel.begin(ResponseHead(status: .ok))
            try channel.write(Data([1]))
            try channel.end()
        }
        #expect(count == 0)
    }
}
