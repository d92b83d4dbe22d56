import NIOCore
import NIOPosix
import NetKit
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Connection queue")
struct ConnectionQueueTests {
    private let key = ConnectionKey(isSecure: true, host: "a.test", port: 443)

    @Test(
        "admits more requests to a host after an HTTP/2 response, and fewer after HTTP/1.1"
    )
    func versions() {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        var queue = ConnectionQueue<Int>(.init(http1: 2, http2: 5))
        let free = (0..<8)
            .filter { number in
                if case .free = queue.take(key, orWait: number) { true } else { false }
            }
        #expect(free == [0, 1])
        let admitted = [queue.learn(key, isHTTP2: true), queue.learn(key, isHTTP2: true)]
        #expect(admitted == [[2, 3, 4], []])
        let next = queue.give(back: key, on: loop)
        #expect(next == 5)
        let none = queue.learn(key, isHTTP2: false)
        #expect(none.isEmpty)
        let following = (0..<5).map { _ in queue.give(back: key, on: loop) }
        #expect(following == [nil, nil, nil, 6, 7])
    }

    @Test("notes a bounded number of idle connections, whatever versions a host speaks in turn")
    func idle() {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        var queue = ConnectionQueue<Int>(.init(http1: 1, http2: 5))
        for _ in 0..<1_000 {
            for number in 0..<4 { _ = queue.take(key, orWait: number) }
            let admitted = queue.learn(key, isHTTP2: true)
            #expect(admitted.count == 3)
            _ = queue.learn(key, isHTTP2: false)
            for _ in 0..<4 { _ = queue.give(back: key, on: loop) }
        }
        let count = queue.idleCount
        #expect(count <= 256)
    }

    @Test("is busy while a request of any kind is on its way, but for HTTP/1.1")
    func busy() {
        var queue = ConnectionQueue<Int>(.init(http1: 2, http2: 5))
        var stream = key
        stream.kind = .stream
        _ = queue.take(stream, orWait: 0)
        queue.note(stream, isSent: true)
        var isBusy = [queue.isBusy(key)]
        _ = queue.learn(stream, isHTTP2: false)
        isBusy.append(queue.isBusy(key))
        _ = queue.learn(stream, isHTTP2: true)
        isBusy += [queue.isBusy(key), queue.isBusy(stream)]
        queue.note(stream, isSent: false)
        isBusy.append(queue.isBusy(key))
        #expect(isBusy == [true, false, true, true, false])
        _ = queue.take(key, orWait: 1)
        _ = queue.learn(key, isHTTP2: false)
        queue.note(stream, isSent: true)
        _ = queue.learn(stream, isHTTP2: false)
        let isKnown = queue.isBusy(key)
        #expect(!isKnown)
        let plain = ConnectionKey(isSecure: false, host: "a.test", port: 80)
        _ = queue.take(plain, orWait: 2)
        queue.note(plain, isSent: true)
        let isPlain = queue.isBusy(plain)
        #expect(!isPlain)
    }

    @Test("keeps waiting requests in order, without cancelled ones")
    func order() {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        var queue = ConnectionQueue<Int>(.init(http1: 1, http2: 1))
        let places = (0..<4).map { queue.take(key, orWait: $0) }
        guard case .queued(let ticket) = places[2] else {
            Issue.record("the third request does not wait")
            return
        }
        let left = [queue.leave(ticket), queue.leave(ticket)]
        #expect(left == [true, false])
        let following = (0..<3).map { _ in queue.give(back: key, on: loop) }
        #expect(following == [1, 3, nil])
    }

    @Test(
        "limits only calls: streams and refreshes neither wait nor take slots",
        arguments: [ExchangeKind.stream, .refresh]
    )
    func kinds(kind: ExchangeKind) {
        var queue = ConnectionQueue<Int>(.init(http1: 1, http2: 1))
        var other = key
        other.kind = kind
        let isFree = [other, other, key, key, other]
            .map { key in
                if case .free = queue.take(key, orWait: 0) { true } else { false }
            }
        #expect(isFree == [true, true, true, false, true])
    }
}
