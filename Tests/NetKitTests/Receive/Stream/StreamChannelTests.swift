import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Stream channel")
struct StreamChannelTests {
    private func head(_ status: HTTPStatus) -> ResponseHead { ResponseHead(status: status) }

    @Test("buffers unread bytes up to its limit, and one piece of any size")
    func limit() async throws {
        let channel = StreamChannel(limit: 10, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        try channel.write(Data(count: 20))
        #expect(try await channel.next()?.count == 20)
        try channel.write(Data(count: 4))
        try channel.write(Data(count: 6))
        #expect(throws: StreamFailure.self) { try channel.write(Data(count: 1)) }
        channel.finish(StreamFailure.readerTooSlow(bufferedBytes: 10))
        #expect(try await channel.next()?.count == 4)
        #expect(try await channel.next()?.count == 6)
        await #expect(throws: StreamFailure.self) { try await channel.next() }
    }

    @Test("delivers no head after the end of its opening")
    func lateHead() async throws {
        let (early, late) = (
            StreamChannel(limit: 10, isResumable: false),
            StreamChannel(limit: 10, isResumable: false)
        )
        #expect(try early.begin(head(.ok)) != nil)
        #expect(early.endOpening())
        #expect(!late.endOpening())
        #expect(try late.begin(head(.ok)) == nil)
        late.finish(StreamFailure.cancelled)
        #expect(await late.head() == nil)
    }

    @Test("gives a reader no piece without bytes")
    func emptyPieces() async throws {
        let channel = StreamChannel(limit: 10, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        for piece in [Data(), Data([1]), Data(), Data([2]), Data()] { try channel.write(piece) }
        try channel.end()
        #expect(try await channel.next() == Data([1]))
        #expect(try await channel.next() == Data([2]))
        #expect(try await channel.next() == nil)
    }

    @Test("releases a piece once it is read, while others are buffered")
    func releasing() async throws {
        let channel = StreamChannel(limit: 10_000, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        let released = Locked(0)
        for _ in 0..<4 {
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 1_000)
            let piece = Data(
                bytesNoCopy: bytes,
                count: 1_000,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    released.withLock { $0 += 1 }
                }
            )
            try channel.write(piece)
        }
        for count in 1...3 {
            _ = try await channel.next()
            #expect(released.withLock { $0 } == count)
        }
    }

    @Test("takes no bytes behind those that a stop dropped")
    func lateBytes() async throws {
        let channel = StreamChannel(limit: 100, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        try channel.write(Data("unread ".utf8))
        channel.finish(StreamFailure.cancelled, isStopped: true)
        // A transport's thread may have been on its way here.
        try channel.write(Data("late".utf8))
        await #expect(throws: StreamFailure.self) { try await channel.next() }
    }

    @Test("joins small pieces behind a thousand unread ones")
    func joining() async throws {
        let channel = StreamChannel(limit: 1 << 20, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        let bytes = (0..<12_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        for byte in bytes { try channel.write(Data([byte])) }
        try channel.write(Data(count: 4096))
        try channel.write(Data([1]))
        try channel.end()
        var pieces: [Data] = []
        while let piece = try await channel.next() { pieces.append(piece) }
        #expect(pieces.prefix(1024).allSatisfy { $0.count == 1 })
        #expect(pieces.dropFirst(1024).map(\.count) == [4096, 4096, 2784, 4096, 1])
        #expect(Array(pieces.joined().prefix(12_000)) == bytes)
    }

    @Test("lets it be used by what waits for room, as that is released", .timeLimit(.minutes(15)))
    func releasedHandler() async throws {
        let channel = StreamChannel(limit: 10, isResumable: false)
        #expect(try channel.begin(head(.ok)) != nil)
        try channel.write(Data(count: 10))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        do {
            let object = Released {
                if channel.isOver { release.finish() }
            }
            let waits = channel.awaitRoom { withExtendedLifetime(object) {} }
            #expect(waits)
        }
        Task { channel.finish(nil) }
        for await _ in released {}
    }

    @Test("accepts only a successful response, and ends with it")
    func redirects() async throws {
        let channel = StreamChannel(limit: 10, isResumable: false)
        #expect(try channel.begin(head(302)) == nil)
        try channel.end()
        #expect(try channel.begin(head(.ok)) != nil)
        try channel.write(Data([1]))
        try channel.end()
        channel.finish(StreamFailure.timeout(.idle))
        #expect(await channel.head()?.status == .ok)
        #expect(try await channel.next() == Data([1]))
        #expect(try await channel.next() == nil)
        #expect(try await channel.next() == nil)
    }

    @Test("delivers bytes and the end to a waiting reader")
    func waiting() async throws {
        let channel = StreamChannel(limit: 10, isResumable: false)
        async let opening = channel.head()
        #expect(try channel.begin(head(.ok)) != nil)
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

    @Test("gives the reader of a stopped call none of the unread bytes")
    func stopped() async throws {
        for (isStopped, isEmpty) in [(true, true), (false, false)] {
            let channel = StreamChannel(limit: 10, isResumable: false)
            #expect(try channel.begin(head(.ok)) != nil)
            try channel.write(Data([1]))
            channel.finish(StreamFailure.cancelled, isStopped: isStopped)
            #expect(channel.isFull == false)
            #expect((try? await channel.next()) == (isEmpty ? nil : Data([1])))
            await #expect(throws: StreamFailure.self) { _ = try await channel.next() }
        }
    }

    @Test("has no head when the call ends without one")
    func refused() async {
        let channel = StreamChannel(limit: 10, isResumable: false)
        async let opening = channel.head()
        channel.finish(nil)
        #expect(await opening?.status == nil)
        #expect(await channel.head()?.status == nil)
    }

    private func resumable(_ fields: HTTPHeaders = [:]) throws -> StreamChannel {
        let channel = StreamChannel(limit: 8, isResumable: true)
        let headers: HTTPHeaders = [
            "Accept-Ranges": "bytes", "ETag": "\"v1\"", "Content-Length": "20",
        ]
        let head = ResponseHead(status: .ok, headers: headers.merging(fields))
        #expect(try channel.begin(head) != nil)
        try channel.write(Data(count: 8))
        #expect(throws: StreamFailure.self) { try channel.write(Data(count: 4)) }
        return channel
    }

    private func rest(_ range: String, eTag: String = "\"v1\"") -> ResponseHead {
        ResponseHead(
            status: 206,
            headers: ["Content-Range": "\(range)", "ETag": "\(eTag)"]
        )
    }

    @Test("requests the rest of an overflowing response, and resumes when there is room")
    func pause() async throws {
        let channel = try resumable()
        let fields = try #require(channel.takeResumeFields())
        #expect(fields.map(\.1) == ["bytes=8-", "\"v1\""])
        #expect(channel.takeResumeFields() == nil)
        let told = Locked(false)
        #expect(channel.awaitRoom { told.withLock { $0 = true } })
        #expect(try await channel.next()?.count == 8)
        #expect(told.withLock { $0 })
        #expect(!channel.awaitRoom {})
        #expect(channel.missingRest != nil)
        #expect(try channel.begin(rest("bytes 8-19/20")) != nil)
        #expect(channel.missingRest == nil)
        try channel.write(Data(count: 12))
        try channel.end()
        #expect(try await channel.next()?.count == 12)
        #expect(try await channel.next() == nil)
    }

    @Test("discards bytes of a stopped transfer, even with room again")
    func late() async throws {
        let channel = try resumable()
        #expect(try await channel.next()?.count == 8)
        try channel.write(Data(count: 4))
        #expect(channel.takeResumeFields()?.first?.1 == "bytes=8-")
    }

    @Test(
        "doesn't resume with a mismatched rest",
        arguments: [
            ("bytes 7-19/20", "\"v1\""), ("bytes 8-20/21", "\"v1\""), ("bytes 8-19/20", "\"v2\""),
        ]
    )
    func otherRest(range: String, eTag: String) throws {
        let channel = try resumable()
        _ = channel.takeResumeFields()
        #expect(throws: StreamFailure.self) { try channel.begin(rest(range, eTag: eTag)) }
    }

    @Test("fails when the rest is rejected or too short")
    func noRest() async throws {
        let refused = try resumable()
        _ = refused.takeResumeFields()
        #expect(try refused.begin(ResponseHead(status: .notFound)) == nil)
        #expect(refused.missingRest != nil)

        let short = try resumable()
        _ = short.takeResumeFields()
        _ = try await short.next()
        #expect(try short.begin(rest("bytes 8-11/20")) != nil)
        try short.write(Data(count: 4))
        #expect(throws: TransportError.self) { try short.end() }
    }

    @Test(
        "can't request the rest without a version, ranges or plain bytes",
        arguments: [
            ["ETag": "W/\"v1\""], ["Accept-Ranges": "none"], ["Content-Encoding": "gzip"],
        ] as [HTTPHeaders]
    )
    func notResumable(fields: HTTPHeaders) throws {
        #expect(try resumable(fields).takeResumeFields() == nil)
    }
}
