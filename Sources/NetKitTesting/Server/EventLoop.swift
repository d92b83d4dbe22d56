import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The single thread of a server, which accepts connections and reports events to them.
///
/// It doesn't use Dispatch sources. On Linux they crash the process when several threads create and
/// cancel them for descriptors (swift-corelibs-libdispatch #949), and the client under test does so
/// too.
final class EventLoop: Sendable {
    private let listener: Socket
    private let core: ServerCore
    private let running = DispatchGroup()

    /// Takes over a listening socket.
    init(listener: Socket, core: ServerCore) {
        self.listener = listener
        self.core = core
    }

    /// Starts the thread, which ends when the core is stopped.
    func start() {
        running.enter()
        let thread = Thread { self.run() }
        thread.name = "MockServer"
        thread.stackSize = 1 << 19
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// Waits until the thread has released all descriptors and ends.
    func waitUntilEnded() {
        running.wait()
    }

    private func run() {
        var connections: [Connection] = []
        while true {
            core.waker.willWait()
            guard !core.isStopped else { break }
            var awaited = Awaited(waker: core.waker.descriptor, listener: listener.descriptor)
            connections.removeAll { connection in
                guard let wish = connection.wish else {
                    connection.release()
                    return true
                }
                awaited.add(wish)
                return false
            }
            awaited.wait()
            core.waker.hasWaited()
            let now = ContinuousClock.now
            for (index, connection) in connections.enumerated() {
                connection.handle(awaited.event(at: index, now: now))
            }
            if awaited.canAccept { accept(into: &connections) }
        }
        for connection in connections {
            connection.close()
            connection.release()
        }
        listener.release()
        core.waker.close()
        running.leave()
    }

    private func accept(into connections: inout [Connection]) {
        while true {
            switch listener.nextConnection() {
            case .connection(let socket):
                connections.append(Connection(accepting: socket, for: core))
            case .noneWaiting:
                return
            case .noDescriptorLeft:
                // The connection stays pending and wakes the thread again at once, so wait a
                // little.
                usleep(1000)
                return
            }
        }
    }
}

/// The events that the thread waits for, and their results.
private struct Awaited {
    private var descriptors: [pollfd]
    private var deadlines: [ContinuousClock.Instant?] = []
    private static let ownDescriptors = 2

    init(waker: Int32, listener: Int32) {
        descriptors = [waker, listener]
            .map { descriptor in
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            }
    }

    mutating func add(_ wish: ConnectionState.Wish) {
        var events: Int32 = 0
        if wish.wantsToRead { events |= Int32(POLLIN) }
        if wish.wantsToWrite { events |= Int32(POLLOUT) }
        // Poll ignores a negative descriptor, including its hang-ups, which can't be masked.
        let descriptor = events == 0 ? -1 : wish.descriptor
        descriptors.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        deadlines.append(wish.deadline)
    }

    /// Waits for any event.
    mutating func wait() {
        _ = poll(&descriptors, nfds_t(descriptors.count), timeout)
    }

    /// The milliseconds until the first deadline, rounded up so that no pause is cut short.
    private var timeout: Int32 {
        guard let first = deadlines.lazy.compactMap(\.self).min() else { return -1 }
        let left = max(first - .now, .zero) / .milliseconds(1)
        return left < Double(Int32.max) ? Int32(left.rounded(.up)) : .max
    }

    var canAccept: Bool { descriptors[1].revents != 0 }

    func event(at index: Int, now: ContinuousClock.Instant) -> Connection.Event {
        let events = Int32(descriptors[index + Self.ownDescriptors].revents)
        let isLate = deadlines[index].map { $0 <= now } ?? false
        return Connection.Event(
            canRead: events & ~Int32(POLLOUT) != 0,
            canWrite: events & Int32(POLLOUT) != 0,
            isTimeUp: isLate
        )
    }
}
