import Foundation
import Testing

@testable import NetKit

@Suite("A stream's channel")
struct StreamChannelTests {
    private func head(_ status: HTTPStatus) -> ResponseHead { ResponseHead(status: status) }

    @Test("keeps what is not read yet, up to its limit, and one piece of any size")
    func limit() async throws {
        let channel = StreamChannel(limit: 10)
        #expect(channel.begin(head(.ok)) != nil)
        try channel.write(Data(count: 20))
        #expect(throws: StreamFailure.self) { try channel.write(Data(count: 1)) }
        #expect(try await channel.next()?.count == 20)
        try channel.write(Data(count: 4))
        try channel.write(Data(count: 6))
        #expect(throws: StreamFailure.self) { try channel.write(Data(count: 1)) }
        channel.finish(StreamFailure.tooSlow(buffered: 10))
        #expect(try await channel.next()?.count == 4)
        #expect(try await channel.next()?.count == 6)
        await #expect(throws: StreamFailure.self) { try await channel.next() }
    }

    @Test("takes no response but a successful one, and ends with that")
    func redirects() async throws {
        let channel = StreamChannel(limit: 10)
        #expect(channel.begin(head(.found)) == nil)
        channel.end()
        #expect(channel.begin(head(.ok)) != nil)
        try channel.write(Data([1]))
        channel.end()
        channel.finish(StreamFailure.timeout(.idle))
        #expect(await channel.head()?.status == .ok)
        #expect(try await channel.next() == Data([1]))
        #expect(try await channel.next() == nil)
        #expect(try await channel.next() == nil)
    }

    @Test("hands bytes to one who waits, and tells that one of the end")
    func waiting() async throws {
        let channel = StreamChannel(limit: 10)
        async let opening = channel.head()
        #expect(channel.begin(head(.ok)) != nil)
        #expect(await opening?.status == .ok)
        async let first = channel.next()
        try channel.write(Data([1]))
        #expect(try await first == Data([1]))
        async let last = channel.next()
        channel.finish(CancellationError())
        do {
            _ = try await last
            Issue.record("no error")
        } catch {
            #expect(error is CancellationError)
        }
    }

    @Test("has no head where the call ended without one")
    func refused() async {
        let channel = StreamChannel(limit: 10)
        async let opening = channel.head()
        channel.finish(nil)
        #expect(await opening?.status == nil)
        #expect(await channel.head()?.status == nil)
    }
}
