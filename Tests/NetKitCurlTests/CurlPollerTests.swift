import CLibcurl
import Foundation
import Testing

@testable import NetKitCurl

#if canImport(Glibc)
import Glibc
#endif

@Suite("Sockets of libcurl", .timeLimit(.minutes(15)))
struct CurlPollerTests {
    /// Two connected sockets, the first of which is watched.
    private final class Pair {
        let poller: CurlPoller
        let own: Int32
        let peer: Int32

        init(on poller: CurlPoller? = nil, rest: Int32 = 3_600_000) throws {
            self.poller = try poller ?? #require(CurlPoller(rest: rest))
            var ends: [Int32] = [-1, -1]
            #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
            #else
            let kind = SOCK_STREAM
            #endif
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            (own, peer) = (ends[0], ends[1])
        }

        deinit {
            nk_poller_watch(poller.pointer, own, 0)
            close(own)
            close(peer)
        }

        /// Waits, and acts as libcurl does on a socket that is ready.
        ///
        /// - Parameters:
        ///   - milliseconds: How long to wait, or -1 for as long as it takes.
        ///   - sends: Whether bytes of a body are sent.
        /// - Returns: What the socket was ready for: 1 reading, 2 writing, 3 both, 0 nothing.
        func turn(_ milliseconds: Int32, sends: Bool = false) -> Int32 {
            var ready = nk_ready()
            guard nk_poller_wait(poller.pointer, milliseconds, &ready, 1) == 1 else { return 0 }
            nk_poller_begin(poller.pointer)
            if sends { nk_poller_note_sent(poller.pointer) }
            nk_poller_end(poller.pointer, ready)
            return ready.mask
        }
    }

    @Test("rest if there is room again and again, and nothing is sent")
    func rest() throws {
        let pair = try Pair()
        nk_poller_watch(pair.poller.pointer, pair.own, 3)
        #expect((0..<33).allSatisfy { _ in pair.turn(0) == 2 })
        #expect(pair.turn(0) == 0)
        // Until the server says something, and after each word for one turn.
        for _ in 0..<3 {
            #expect(write(pair.peer, "x", 1) == 1)
            #expect(pair.turn(-1) == 1)
            var byte: UInt8 = 0
            #expect(read(pair.own, &byte, 1) == 1)
            #expect(pair.turn(0) == 2)
            #expect(pair.turn(0) == 0)
        }
        // Room that is no longer waited for, and then again, is watched at once.
        nk_poller_watch(pair.poller.pointer, pair.own, 1)
        nk_poller_watch(pair.poller.pointer, pair.own, 3)
        #expect((0..<33).allSatisfy { _ in pair.turn(0) == 2 })
        #expect(pair.turn(0) == 0)
    }

    @Test("have their turn when their rest is over")
    func pause() throws {
        let pair = try Pair(rest: 1)
        nk_poller_watch(pair.poller.pointer, pair.own, 3)
        var turns: [Int32] = []
        while turns.count < 100 {
            let turn = pair.turn(-1)
            // At the end of a rest, a wait ends with nothing.
            if turn != 0 { turns.append(turn) }
        }
        #expect(turns.allSatisfy { $0 == 2 })
    }

    @Test("don't rest while something is sent now and then")
    func work() throws {
        let pair = try Pair()
        nk_poller_watch(pair.poller.pointer, pair.own, 2)
        for _ in 0..<20 {
            #expect((0..<32).allSatisfy { _ in pair.turn(0) == 2 })
            #expect(pair.turn(0, sends: true) == 2)
        }
    }

    /// Each wait would end at once, and take a core until libcurl closes the socket.
    @Test("are no longer watched once their server has closed them while they were idle")
    func idle() throws {
        let idle = try Pair()
        let poller = idle.poller.pointer
        nk_poller_own(poller, idle.own)
        nk_poller_watch(poller, idle.own, 1)
        nk_poller_note_http1(poller, idle.own)
        nk_poller_watch(poller, idle.own, 0)
        nk_poller_note_idle(poller, idle.own)
        #expect(shutdown(idle.peer, Int32(SHUT_RDWR)) == 0)
        #expect(idle.turn(-1) == 0)
        let busy = try Pair(on: idle.poller)
        nk_poller_watch(poller, busy.own, 1)
        #expect(write(busy.peer, "x", 1) == 1)
        #expect((0..<20).allSatisfy { _ in busy.turn(-1) == 1 })
    }
}
