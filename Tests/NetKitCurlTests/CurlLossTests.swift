import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKitCurl

/// Connections that end while a request is on them.
@Suite("Lost connections over libcurl", .timeLimit(.minutes(15)))
struct CurlLossTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func send(
        _ method: HTTPMethod,
        to server: ScriptedServer,
        body: BodySource? = nil,
        over transport: CurlTransport
    ) async -> Received {
        let received = Received()
        let request = EncodedRequest(url: testURL(server.url), method: method, body: body)
        received.begin(request, over: transport)
        _ = await received.ending()
        return received
    }

    /// How a server ends a kept connection on which it has read a second request.
    enum Ending: CaseIterable, Sendable { case close, reset, halfLine, halfHead }

    @Test(
        "never send a request again by themselves",
        arguments: Ending.allCases,
        [HTTPMethod.get, .post, .put]
    )
    func keptConnection(ending: Ending, method: HTTPMethod) async throws {
        let processed = Locked(0)
        let server = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write(Self.answer)
            guard peer.readRequest() != nil else { return }
            processed.withLock { $0 += 1 }
            switch ending {
            case .close: break
            case .reset: peer.resetAtEnd()
            case .halfLine: peer.write("HTTP/1.1 20")
            case .halfHead: peer.write("HTTP/1.1 200 OK\r\nContent-Le")
            }
        }
        let transport = curl()
        for body in [nil, BodySource(Data(count: 3)), BodySource(Data(count: 200_000))] {
            #expect(await send(.get, to: server, over: transport).isWhole)
            let before = processed.withLock { $0 }
            let body = method == .get ? nil : body
            let received = await send(method, to: server, body: body, over: transport)
            let kinds: [TransportError.Kind] =
                ending == .halfLine ? [.connectionLost, .malformedResponse] : [.connectionLost]
            #expect(received.error.map { kinds.contains($0.kind) } == true, "\(ending) \(method)")
            #expect(processed.withLock { $0 } == before + 1)
        }
    }

    @Test("use no kept connection that the server has closed")
    func closedConnection() async throws {
        let bodies = Locked<[Int]>([])
        let server = try ScriptedServer { peer in
            guard let request = peer.readRequest() else { return }
            bodies.withLock { $0.append(request.body.count) }
            peer.write(Self.answer)
        }
        let transport = curl()
        for count in [1, 2, 100_000] {
            let body = BodySource(Data(count: count))
            #expect(await send(.post, to: server, body: body, over: transport).isWhole)
            await eventually { server.connected == 0 }
        }
        #expect(bodies.withLock { $0 } == [1, 2, 100_000])
    }

    @Test("use no kept connection that the server has reset")
    func resetConnection() async throws {
        let mayReset = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write(Self.answer)
            // A reset would overtake the answer.
            mayReset.wait()
            peer.resetAtEnd()
        }
        let transport = curl()
        for count in [1, 100_000] {
            for body in [nil, BodySource(Data(count: count))] {
                let method: HTTPMethod = body == nil ? .get : .post
                #expect(await send(method, to: server, body: body, over: transport).isWhole)
                mayReset.signal()
                await eventually { server.connected == 0 }
            }
        }
    }

    @Test(
        "take nothing for a response that a server says without a request",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", "\r\n",
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ],
        [false, true]
    )
    func unasked(words: String, besidePausedResponse: Bool) async throws {
        let (mayAnswer, maySpeak) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            mayAnswer.wait()
            peer.write(Self.answer)
            maySpeak.wait()
            peer.write(words)
            peer.readToEnd()
        }
        let other = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            peer.readToEnd()
        }
        let transport = curl()
        let paused = Received(pausesAfter: 1)
        if besidePausedResponse {
            paused.begin(EncodedRequest(url: testURL(other.url), method: .get), over: transport)
            await eventually { paused.count > 0 }
        }
        for method in [HTTPMethod.get, .post, .get] {
            let received = Received()
            let exchange = received.begin(
                EncodedRequest(url: testURL(server.url), method: method),
                over: transport
            )
            // The last piece of a response can be held back at first.
            if method == .get { _ = exchange.pause() }
            mayAnswer.signal()
            await eventually { received.head != nil }
            exchange.resume()
            _ = await received.ending()
            #expect(received.isWhole && received.body == Data("ok".utf8))
            maySpeak.signal()
            await eventually { server.connected == 0 }
        }
        #expect(server.accepted == 3)
        paused.exchange.withLock { $0 }?.cancel()
    }

    @Test("take nothing behind a response for the next one, even if it is there already")
    func behindResponse() async throws {
        let hasHead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
                hasHead.wait()
                peer.write("okHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            }
        }
        let transport = curl()
        let request = EncodedRequest(url: testURL(server.url), method: .post)
        @Sendable func signal(_ event: TransportEvent) {
            if case .head = event { hasHead.signal() }
        }
        let second = Received { event, _ in signal(event) }
        // At once, before the loop could look at the idle connection.
        let first = Received { event, _ in
            signal(event)
            if case .finished = event { second.begin(request, over: transport) }
        }
        first.begin(request, over: transport)
        for received in [first, second] {
            _ = await received.ending()
            #expect(received.isWhole && received.text == "ok")
        }
        #expect(server.accepted == 2)
    }

    @Test("keep the connection of a paused response on which more arrives")
    func pausedResponse() async throws {
        let mayGoOn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            for piece in ["def", "ghi"] {
                mayGoOn.wait()
                peer.write(piece)
            }
            peer.readToEnd()
        }
        let transport = curl()
        let received = Received(pausesAfter: 1)
        let exchange = received.begin(
            EncodedRequest(url: testURL(server.url), method: .get),
            over: transport
        )
        await eventually { received.count > 0 }
        let other = try ScriptedServer { peer in
            while peer.readRequest() != nil { peer.write(Self.answer) }
        }
        // libcurl holds the first piece back, and no longer waits for the second. The other calls let it see them.
        for _ in 1...2 {
            mayGoOn.signal()
            for _ in 1...3 { #expect(await send(.get, to: other, over: transport).isWhole) }
        }
        exchange.resume()
        #expect(await received.ending() == nil)
        #expect(received.body == Data("abcdefghi".utf8))
    }

    /// What a server of HTTP/2 does with a request that it has read.
    enum Refusal: CaseIterable, Sendable {
        case close, resetStream, goAwayAfter, requiresHTTP1, halfBody
    }

    @Test("fail a request of HTTP/2 that may have been processed", arguments: Refusal.allCases)
    func processed(refusal: Refusal) async throws {
        let processed = Locked(0)
        let server = try ScriptedServer { peer in
            guard let peer = HTTP2Peer(peer) else { return }
            while let request = peer.nextRequest() {
                let stream = request.stream
                guard request.endsStream || peer.readBody(of: stream) else { return }
                processed.withLock { $0 += 1 }
                switch refusal {
                case .close: return
                case .resetStream: peer.reset(stream, code: 2)
                case .goAwayAfter: return peer.goAway(last: stream)
                case .requiresHTTP1: peer.reset(stream, code: 13)
                case .halfBody:
                    peer.respond(200, on: stream, fields: [("content-length", "10")])
                    peer.sendData([1, 2, 3], on: stream, ends: false)
                    peer.reset(stream, code: 2)
                }
            }
        }
        let transport = curl { $0.httpVersion = .http2PriorKnowledge }
        for body in [nil, BodySource(Data(count: 3)), BodySource(Data(count: 200_000))] {
            let before = processed.withLock { $0 }
            let received = await send(.post, to: server, body: body, over: transport)
            // libcurl may drop a head that it has read with the reset.
            let kinds: [TransportError.Kind] =
                refusal == .halfBody ? [.truncatedResponse, .connectionLost] : [.connectionLost]
            let kind = received.error?.kind
            #expect(
                kind.map { kinds.contains($0) } == true,
                "\(String(describing: received.error))"
            )
            #expect(processed.withLock { $0 } == before + 1)
        }
    }

    @Test(
        "send a request of HTTP/2 again that certainly wasn't processed, twice at most",
        arguments: 0...3
    )
    func unprocessed(count: Int) async throws {
        // libcurl before 7.88 doesn't tell of a GOAWAY.
        let most = CurlLibrary.shared.version >= 0x07_5800 ? 2 : 0
        for body in [nil, BodySource(Data(count: 3)), BodySource(Data(count: 200_000))] {
            let begun = Locked(0)
            let server = try ScriptedServer { peer in
                guard let peer = HTTP2Peer(peer), let request = peer.nextRequest() else { return }
                let number = begun.withLock { begun in
                    begun += 1
                    return begun
                }
                guard request.endsStream || peer.readBody(of: request.stream) else { return }
                guard number > count else { return peer.goAway(last: 0) }
                peer.respond(200, on: request.stream, ends: true)
                peer.readToEnd()
            }
            let transport = curl { $0.httpVersion = .http2PriorKnowledge }
            let received = await send(.post, to: server, body: body, over: transport)
            #expect(begun.withLock { $0 } == min(count, most) + 1)
            #expect(received.isWhole == (count <= most), "\(String(describing: received.error))")
            if count > most {
                #expect(received.error?.kind == .connectionLost)
                let isTold = received.error?.message.contains("without processing it") == true
                #expect(isTold == (most > 0))
            }
        }
    }

    @Test(
        "end a response in order whose head changes to another protocol",
        arguments: [true, false]
    )
    func otherProtocol(isKept: Bool) async throws {
        let server = try ScriptedServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
            guard isKept else { return }
            peer.write("bytes of another protocol")
            peer.readToEnd()
        }
        let received = await send(.get, to: server, over: curl())
        #expect(received.head?.status.rawValue == 101)
        #expect(received.isWhole && received.body.isEmpty)
    }

    // MARK: The set-up

    @Test("of a thread that can't be started fail each request, until one can")
    func noThread() async throws {
        let server = try ScriptedServer { peer in
            while peer.readRequest() != nil { peer.write(Self.answer) }
        }
        let results = Locked([Int32(0), 11, 11])
        let transport = CurlTransport(configuration: .init()) { body in
            let result = results.withLock { $0.popLast() ?? 0 }
            return result == 0 ? CurlThread.start(body) : result
        }
        for _ in 0..<2 {
            let received = await send(.post, to: server, over: transport)
            #expect(received.endings == 1)
            #expect(received.error?.kind == .unsupported)
            #expect(received.error?.message.contains("no thread") == true)
        }
        #expect(server.accepted == 0)
        #expect(await send(.post, to: server, over: transport).isWhole)
        await transport.shutdown()
        #expect(await send(.post, to: server, over: transport).error?.kind == .other)
    }

    @Test("of a thread that can't be started leave nothing to wait for")
    func shutdownWithoutThread() async throws {
        let server = try ScriptedServer { _ in }
        let transport = CurlTransport(configuration: .init()) { _ in 11 }
        #expect(await send(.get, to: server, over: transport).error?.kind == .unsupported)
        await transport.shutdown()
        #expect(await send(.get, to: server, over: transport).error?.kind == .other)
    }
}
