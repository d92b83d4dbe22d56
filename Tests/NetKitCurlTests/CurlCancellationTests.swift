import Foundation
import NetKitCurl
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

/// Exchanges that are canceled at random moments, which a seed decides.
@Suite("Cancellation over libcurl", .timeLimit(.minutes(15)))
struct CurlCancellationTests {
    /// When an exchange is canceled.
    enum Moment: CaseIterable, Sendable {
        /// At once, or after a number of turns of other tasks.
        case begun, later
        /// At an event, by the thread that reports it.
        case started, sent, head, body
        /// After a turn or more, while nothing is read or sent.
        case paused, resumed, liveBody, unreadBody, silence
        /// When it has ended, which has no effect.
        case finished

        /// What the server does.
        var behavior: Behavior {
            switch self {
            case .begun, .later, .started, .finished: .short
            case .head, .body, .paused, .resumed: .long
            case .sent: .reading
            case .liveBody: .reading
            case .unreadBody: .deaf
            case .silence: .silent
            }
        }
    }

    /// What a server does with a request.
    enum Behavior: CaseIterable, Sendable {
        /// A short response.
        case short
        /// A response of 1 MB.
        case long
        /// A response after the whole body.
        case reading
        /// Reads no body before the test says so.
        case deaf
        /// Reads, and never answers.
        case silent
    }

    @Test("delivers no more bytes once they have been canceled")
    func noMoreBytes() async throws {
        let server = try MockServer()
        server.route(nil, "/long") { _ in .data(Data(count: 1 << 20)) }
        let pieces = Locked(0)
        let received = Received(keepsBody: false) { event, received in
            guard case .body = event else { return }
            pieces.withLock { $0 += 1 }
            received.exchange.withLock { $0 }?.cancel()
        }
        received.begin(EncodedRequest(url: server.url("/long"), method: .get), over: curl())
        guard case .cancelled = await received.ending() else {
            Issue.record("not canceled")
            return
        }
        #expect(pieces.withLock { $0 } == 1)
    }

    /// The servers: one for each behavior and version of HTTP.
    private final class Servers: Sendable {
        private let servers: [[ScriptedServer]]
        private let turns = DispatchSemaphore(value: 0)

        init() throws {
            let turns = turns
            servers = try Behavior.allCases.map { behavior in
                try [false, true]
                    .map { isHTTP2 in
                        try ScriptedServer { peer in
                            if isHTTP2 {
                                // One stream at a time: it serves one after another.
                                guard let peer = HTTP2Peer(peer, settings: [(3, 1)]) else { return }
                                Self.serve(peer, behavior, turns)
                            } else {
                                Self.serve(peer, behavior, turns)
                            }
                        }
                    }
            }
        }

        func server(_ behavior: Behavior, isHTTP2: Bool) -> ScriptedServer {
            let index = Behavior.allCases.firstIndex(of: behavior) ?? 0
            return servers[index][isHTTP2 ? 1 : 0]
        }

        /// Lets a deaf server go on.
        func readUnreadBody() { turns.signal() }

        func stop() {
            for server in servers.joined() { server.stop() }
            for _ in 0..<1_000 { turns.signal() }
        }

        var connected: Int { servers.joined().reduce(0) { $0 + $1.connected } }

        private static let body = [UInt8](repeating: 7, count: 1 << 20)

        private static func serve(_ peer: Peer, _ behavior: Behavior, _ turns: DispatchSemaphore) {
            while true {
                if behavior == .deaf {
                    guard peer.readHead() != nil else { return }
                    turns.wait()
                    return peer.readToEnd()
                }
                guard peer.readRequest() != nil else { return }
                switch behavior {
                case .silent: return peer.readToEnd()
                case .long:
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    guard peer.write(body) else { return }
                case .short, .reading, .deaf:
                    guard peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") else {
                        return
                    }
                }
            }
        }

        private static func serve(
            _ peer: HTTP2Peer,
            _ behavior: Behavior,
            _ turns: DispatchSemaphore
        ) {
            // A canceled request leaves its connection to later ones.
            while let stream = peer.nextRequest()?.stream {
                switch behavior {
                case .silent: continue
                case .deaf:
                    turns.wait()
                    _ = peer.readBody(of: stream)
                    continue
                case .reading:
                    guard peer.readBody(of: stream) else { continue }
                case .short, .long: break
                }
                guard peer.respond(200, on: stream) else { return }
                let body = behavior == .long ? body : Array("ok".utf8)
                guard peer.sendData(body, on: stream, ends: true) || peer.resets.contains(stream)
                else { return }
            }
        }
    }

    /// What was wrong with one exchange, which is canceled at its moment.
    private static func run(
        _ generator: inout SeededGenerator,
        _ servers: Servers,
        over transports: [CurlTransport],
        _ remains: Remains
    ) async -> String? {
        let moment = Moment.allCases.randomElement(using: &generator) ?? .begun
        let isHTTP2 = Bool.random(using: &generator)
        let turns = Int.random(in: 0..<60, using: &generator)
        let bytes = Int.random(in: 0..<200_000, using: &generator)
        let behavior = moment.behavior
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        let isAtMoment = Locked(false)
        let received = Received(keepsBody: false) { event, received in
            let exchange = received.exchange.withLock { $0 }
            switch (moment, event) {
            case (.started, .started), (.head, .head), (.sent, .sent): exchange?.cancel()
            case (.body, .body) where received.count >= bytes: exchange?.cancel()
            case (.paused, .head), (.resumed, .head):
                _ = exchange?.pause()
                isAtMoment.withLock { $0 = true }
            case (.liveBody, .sent), (.unreadBody, .sent), (_, .finished):
                isAtMoment.withLock { $0 = true }
            default: break
            }
        }
        var body: BodySource?
        switch moment {
        case .sent: body = BodySource(Data(count: 70_000 + bytes))
        case .unreadBody: body = BodySource(Data(count: 1 << 20))
        case .liveBody:
            body = BodySource(BodySequence(pieces, isLive: true))
            continuation.yield(Data(count: 1 + bytes))
        default: break
        }
        let server = servers.server(behavior, isHTTP2: isHTTP2)
        let request = EncodedRequest(
            url: testURL(server.url),
            method: body == nil ? .get : .post,
            headers: [:],
            body: body
        )
        let exchange = received.begin(request, over: transports[isHTTP2 ? 1 : 0])
        remains.watch(received, exchange)
        switch moment {
        case .begun: exchange.cancel()
        case .later, .silence:
            for _ in 0..<turns { await Task.yield() }
            exchange.cancel()
        case .started, .sent, .head, .body: break
        case .paused, .resumed, .liveBody, .unreadBody:
            await eventually { isAtMoment.withLock { $0 } }
            for _ in 0..<turns { await Task.yield() }
            if moment == .resumed { exchange.resume() }
            exchange.cancel()
        case .finished:
            _ = await received.ending()
            exchange.cancel()
        }
        for _ in 0..<turns % 3 { exchange.cancel() }
        let ending = await received.ending()
        if moment == .unreadBody { servers.readUnreadBody() }
        continuation.finish()
        let label = "\(moment) over HTTP/\(isHTTP2 ? 2 : 1)"
        if received.endings != 1 { return "\(label): \(received.endings) endings" }
        switch ending {
        case .failed(let error): return "\(label): \(error)"
        case .cancelled: return moment == .finished ? "\(label): canceled" : nil
        case nil:
            let mustFail: [Moment] = [.paused, .liveBody, .unreadBody, .silence]
            return mustFail.contains(moment) ? "\(label): whole" : nil
        }
    }

    /// As many as the environment says; 10,000 take ten seconds or more.
    private static var count: Int {
        let text = ProcessInfo.processInfo.environment["NETKIT_CANCELLATIONS"] ?? ""
        return Int(text) ?? 2_000
    }

    @Test("ends each exchange once at any moment, and leaves nothing in flight or open")
    func anyMoment() async {
        // A process of its own, whose descriptors are those of this test.
        await #expect(processExitsWith: .success) {
            // What stays open for the life of a process.
            let first = curl()
            _ = await Received.get("http://127.0.0.1:1/", over: first)
            await first.shutdown()
            // The thread of libdispatch that has the timers.
            try? await Task.sleep(for: .milliseconds(1))
            // The thread of libcurl is woken by an event, which is the one kind that counts here too.
            func descriptors() -> Int { openDescriptors(except: ["[timerfd]"]) }
            let before = descriptors()
            let remains = Remains()
            do {
                let servers = try Servers()
                let transports = [curl(), curl { $0.httpVersion = .http2PriorKnowledge }]
                let (count, workers) = (Self.count, 16)
                await withTaskGroup(of: Void.self) { group in
                    for worker in 0..<workers {
                        group.addTask {
                            var generator = SeededGenerator(seed: UInt64(worker) &+ 30)
                            for _ in 0..<(count / workers + 1) {
                                let problem = await Self.run(
                                    &generator,
                                    servers,
                                    over: transports,
                                    remains
                                )
                                if let problem { Issue.record("\(problem)") }
                            }
                        }
                    }
                }
                for transport in transports { await transport.shutdown() }
                servers.stop()
                await eventually { servers.connected == 0 }
            }
            await eventually { descriptors() <= before && remains.count == 0 }
            #expect(descriptors() <= before && remains.count == 0)
            withExtendedLifetime(first) {}
        }
    }
}

/// What is left of exchanges and their receivers.
private final class Remains: Sendable {
    private struct Pair {
        weak var received: Received?
        weak var exchange: (any TransportExchange)?
    }

    private let pairs = Locked<[Pair]>([])

    func watch(_ received: Received, _ exchange: any TransportExchange) {
        pairs.withLock { $0.append(Pair(received: received, exchange: exchange)) }
    }

    var count: Int {
        pairs.withLock { $0.count { $0.received != nil || $0.exchange != nil } }
    }
}
