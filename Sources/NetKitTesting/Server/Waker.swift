import NetKit
import NetKitSupport
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Wakes a thread from `poll` by a pipe, which is written only while the thread waits.
final class Waker: Sendable {
    private struct State {
        var isWaiting = false
        var isOpen = true
    }

    /// The descriptor that the thread polls.
    let descriptor: Int32
    private let writingEnd: Int32
    private let state = Locked(State())

    /// Opens the pipe.
    ///
    /// - Throws: ``MockServerError/cannotListen(port:reason:)`` if no descriptor is left.
    init() throws(MockServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .cannotListen(port: 0, reason: String(cString: strerror(errno)))
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, writingEnd) = (ends[0], ends[1])
    }

    deinit {
        close()
    }

    /// Tells the waker that the thread is about to poll.
    func willWait() {
        state.withLock { $0.isWaiting = true }
    }

    /// Tells the waker that the thread has stopped polling, and empties the pipe.
    func hasWaited() {
        let isWoken = state.withLock { state in
            defer { state.isWaiting = false }
            return !state.isWaiting
        }
        var byte: UInt8 = 0
        if isWoken { _ = read(descriptor, &byte, 1) }
    }

    /// Wakes the thread if it polls.
    func wake() {
        state.withLock { state in
            guard state.isWaiting, state.isOpen else { return }
            state.isWaiting = false
            var byte: UInt8 = 0
            _ = write(writingEnd, &byte, 1)
        }
    }

    /// Closes the pipe once.
    ///
    /// Waking has no effect from then on.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        guard isFirst else { return }
        for end in [descriptor, writingEnd] { Socket(descriptor: end).release() }
    }
}
