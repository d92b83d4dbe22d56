import Foundation
import NetKitSupport
import Testing

@testable import NetKit
@testable import NetKitCurl

/// Slow readers slow down writers, in both directions.
@Suite("Back-pressure over libcurl", .timeLimit(.minutes(15)))
struct CurlFlowTests {
    private static let size = 256 << 20
    private static let piece = [UInt8](repeating: 7, count: 1 << 18)

    /// A transport, and a server that answers one request with ``size`` bytes and counts what it could write.
    private static func download(
        isHTTP2: Bool,
        _ written: Locked<Int>
    ) throws -> (CurlTransport, ScriptedServer) {
        let server = try ScriptedServer { peer in
            let write: ([UInt8], Bool) -> Bool
            if isHTTP2 {
                guard let peer = HTTP2Peer(peer), let request = peer.nextRequest() else { return }
                peer.respond(200, on: request.stream)
                write = { peer.sendData($0, on: request.stream, ends: $1) }
            } else {
                guard peer.readHead() != nil else { return }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
                write = { bytes, _ in peer.write(bytes) }
            }
            for sent in stride(from: piece.count, through: size, by: piece.count) {
                guard write(piece, sent == size) else { return }
                written.withLock { $0 = sent }
            }
            peer.readToEnd()
        }
        return (curl { $0.httpVersion = isHTTP2 ? .http2PriorKnowledge : .http1Only }, server)
    }

    /// Waits until a number stays the same for many turns.
    private func settled(_ value: Locked<Int>) async -> Int {
        var (last, turns) = (-1, 0)
        while turns < 100, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(2))
            let now = value.withLock { $0 }
            (last, turns) = (now, now == last ? turns + 1 : 0)
        }
        return last
    }

    @Test("stops the server of a paused response, and lets it go on", arguments: [false, true])
    func download(isHTTP2: Bool) async throws {
        let written = Locked(0)
        let (transport, server) = try Self.download(isHTTP2: isHTTP2, written)
        let received = Received(pausesAfter: 1 << 20, keepsBody: false)
        let request = EncodedRequest(url: testURL(server.url), method: .get)
        let exchange = received.begin(request, over: transport)
        await eventually { received.count >= 1 << 20 }
        let held = await settled(written)
        // What the buffers of two sockets hold, and the last pieces.
        #expect(held < 32 << 20, "\(held)")
        #expect(received.count < 4 << 20)
        exchange.resume()
        _ = await received.ending()
        #expect(received.isWhole && received.count == Self.size)
    }

    /// libcurl doesn't watch the socket of a paused response, and has read all that has arrived.
    @Test("fails a paused response without a length whose connection is reset")
    func resetWhilePaused() async throws {
        let turn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            for _ in 0..<4 { peer.write(Self.piece) }
            turn.wait()
            // What libcurl holds back.
            peer.write("x")
            turn.wait()
            peer.resetAtEnd()
        }
        let other = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transport = curl { $0.httpVersion = .http1Only }
        // The loop turns meanwhile.
        func otherRequests() async {
            for _ in 0..<5 { #expect(await Received.get(other.url, over: transport).isWhole) }
        }
        let received = Received(pausesAfter: 4 * Self.piece.count, keepsBody: false)
        let request = EncodedRequest(url: testURL(server.url), method: .get)
        let exchange = received.begin(request, over: transport)
        await eventually { received.count == 4 * Self.piece.count }
        turn.signal()
        await otherRequests()
        turn.signal()
        await eventually { server.connected == 0 }
        await otherRequests()
        exchange.resume()
        _ = await received.ending()
        #expect(received.error?.kind == .truncatedResponse)
    }

    /// libcurl 7.88 to 8.0 loses the end if the last frame doesn't fit its buffer, and nothing follows.
    @Test(
        "ends a response of HTTP/2 without a length, however its frames lie in the buffer",
        arguments: [
            [1], [16_384], [16_384, 1], [10_000, 10_000], [1, 16_384], [16_384, 16_384, 5],
            [9_000, 9_000, 9_000], [16_000, 16_000, 700],
        ]
    )
    func frames(sizes: [Int]) async throws {
        let server = try ScriptedServer { peer in
            guard let peer = HTTP2Peer(peer) else { return }
            while let request = peer.nextRequest() {
                // One write, and one frame for each size.
                peer.collect {
                    peer.respond(200, on: request.stream)
                    for (index, size) in sizes.enumerated() {
                        let isLast = index == sizes.count - 1
                        let bytes = [UInt8](repeating: 7, count: size)
                        peer.sendData(bytes, on: request.stream, ends: isLast)
                    }
                }
            }
        }
        let transport = curl { $0.httpVersion = .http2PriorKnowledge }
        for _ in 0..<5 {
            let received = await Received.get(server.url, over: transport)
            #expect(received.isWhole && received.count == sizes.reduce(0, +))
        }
    }

    @Test("ends a paused response at once", arguments: [false, true])
    func canceledDownload(isHTTP2: Bool) async throws {
        let written = Locked(0)
        let (transport, server) = try Self.download(isHTTP2: isHTTP2, written)
        let received = Received(pausesAfter: 1, keepsBody: false)
        let request = EncodedRequest(url: testURL(server.url), method: .get)
        let exchange = received.begin(request, over: transport)
        await eventually { received.count >= 1 }
        exchange.cancel()
        guard case .cancelled = await received.ending() else {
            Issue.record("\(String(describing: received.error))")
            return
        }
        await transport.shutdown()
        await eventually { server.connected == 0 }
        #expect(written.withLock { $0 } < Self.size)
    }

    @Test(
        "stops a live body that the server doesn't read, and lets it go on",
        arguments: [false, true]
    )
    func upload(isHTTP2: Bool) async throws {
        let turn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            if isHTTP2 {
                guard let peer = HTTP2Peer(peer), let request = peer.nextRequest() else { return }
                turn.wait()
                guard peer.readBody(of: request.stream) else { return }
                peer.respond(200, on: request.stream, ends: true)
                peer.readToEnd()
            } else {
                guard peer.readHead() != nil else { return }
                turn.wait()
                var last: [UInt8] = []
                while !last.elementsEqual(Array("0\r\n\r\n".utf8)) {
                    let bytes = peer.read()
                    guard !bytes.isEmpty else { return }
                    last = (last + bytes).suffix(5)
                }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transport = curl { $0.httpVersion = isHTTP2 ? .http2PriorKnowledge : .http1Only }
        let produced = Locked(0)
        let pieces = CountedPieces(count: 32 << 20, size: 1 << 18, produced)
        let request = EncodedRequest(
            url: testURL(server.url),
            method: .post,
            body: BodySource(BodySequence(pieces, isLive: true))
        )
        let received = Received()
        received.begin(request, over: transport)
        await eventually { produced.withLock { $0 } > 0 }
        let held = await settled(produced)
        #expect(held < 16 << 20, "\(held)")
        let sent = received.sent
        #expect(sent <= produced.withLock { $0 })
        turn.signal()
        _ = await received.ending()
        #expect(received.isWhole, "\(String(describing: received.error))")
        #expect(produced.withLock { $0 } == 32 << 20)
        #expect(received.sent == 32 << 20)
    }

    private struct Echo: Request {
        typealias ResponseObjectType = Void
        let path = ""
        let method: HTTPMethod = .post
        let body: RequestBody?
    }

    /// The interleaved cases of the Networking Workgroup's conformance suite.
    ///
    /// Where the server begins, it also ends first, while the body waits for its next piece. Over libcurl 8.5, which then goes on
    /// waiting for the response, it doesn't.
    @Test(
        "sends and receives by turns, a byte at a time, whoever begins",
        arguments: [true, false]
    )
    func interleaved(clientBegins: Bool) async throws {
        let turns = 1_000
        let endsBody = clientBegins || CurlLibrary.shared.readsHeldBack
        let server = try ScriptedServer { peer in
            guard peer.readHead() != nil,
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            else { return }
            func read(_ byte: UInt8) -> Bool {
                while true {
                    let bytes = peer.read()
                    guard !bytes.isEmpty else { return false }
                    if bytes.contains(byte) { return true }
                }
            }
            for _ in 0..<turns {
                if !clientBegins { peer.write("1\r\nA\r\n") }
                guard read(UInt8(ascii: "A")) else { return }
                if clientBegins { peer.write("1\r\nA\r\n") }
            }
            // The request ends first where the client began.
            if clientBegins, !read(UInt8(ascii: "0")) { return }
            peer.write("0\r\n\r\n")
            peer.readToEnd()
        }
        let endpoint = Endpoint(baseURL: testURL(server.url), transport: curl())
        endpoint.timeouts.idle = .seconds(3_600)
        let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
        let piece = Data("A".utf8)
        if clientBegins { sink.yield(piece) }
        var received = 0
        let call = Echo(body: .stream(pieces, isLive: true))
        for try await chunk in try await endpoint.stream(call) {
            #expect(chunk == piece)
            received += 1
            if !clientBegins || received < turns { sink.yield(piece) }
            if endsBody, received == turns { sink.finish() }
        }
        sink.finish()
        #expect(received == turns)
    }

    @Test("fails a call whose response is cut while its live body waits for the next piece")
    func cutAnswer() async throws {
        let server = try ScriptedServer { peer in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\nx")
        }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("ab".utf8))
        let endpoint = Endpoint(baseURL: testURL(server.url), transport: curl(), retryingCount: 0)
        let body = RequestBody.stream(pieces, length: nil, isLive: true)
        let call = Echo(body: body)
        do throws(ErrorResponse<ServerMessage>) {
            try await endpoint.value(for: call)
            Issue.record("the response is cut")
        } catch {
            guard case .transport(let error) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.kind == .truncatedResponse)
        }
        withExtendedLifetime(continuation) {}
    }

    /// The server goes on reading, and ends its response at once or when the client has the head.
    @Test(
        "delivers the whole response of HTTP/2 that refuses a live body",
        arguments: [false, true],
        [false, true]
    )
    func refusedBody(waits: Bool, hasLength: Bool) async throws {
        let hasHead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            guard let peer = HTTP2Peer(peer), let request = peer.nextRequest() else { return }
            let length = hasLength ? [("content-length", "2")] : []
            peer.respond(413, on: request.stream, fields: length)
            if waits { hasHead.wait() }
            peer.sendData(Array("ok".utf8), on: request.stream, ends: true)
            peer.readToEnd()
        }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("ab".utf8))
        let received = Received { event, _ in
            if case .head = event { hasHead.signal() }
        }
        let body = BodySource(BodySequence(pieces, isLive: true))
        let request = EncodedRequest(url: testURL(server.url), method: .post, body: body)
        received.begin(request, over: curl { $0.httpVersion = .http2PriorKnowledge })
        _ = await received.ending()
        #expect(received.isWhole && received.head?.status.rawValue == 413)
        #expect(received.text == "ok")
        withExtendedLifetime(continuation) {}
    }
}

/// Pieces of zeros, which are counted as they are asked for.
private struct CountedPieces: AsyncSequence, Sendable {
    let count: Int
    let size: Int
    let produced: Locked<Int>

    init(count: Int, size: Int, _ produced: Locked<Int>) {
        (self.count, self.size, self.produced) = (count, size, produced)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: CountedPieces

        func next() async -> Data? {
            pieces.produced.withLock { produced in
                guard produced < pieces.count else { return nil }
                produced += pieces.size
                return Data(count: pieces.size)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
