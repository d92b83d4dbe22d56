import NetKit
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Gets a thread out of `poll`: a pipe to itself, written to only while the thread waits.
final class Waker: Sendable {
    private struct State {
        var isWaiting = false
        var isOpen = true
    }

    /// What the thread polls along with the rest.
    let descriptor: Int32
    private let writingEnd: Int32
    private let state = Locked(State())

    /// Opens the pipe.
    ///
    /// - Throws: ``MockServerError/cannotListen(port:reason:)`` if there is no descriptor left.
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

    /// The thread is about to find out what to wait for: from now on it wants to be woken.
    func willWait() {
        state.withLock { $0.isWaiting = true }
    }

    /// The thread has stopped waiting.
    func hasWaited() {
        let isWoken = state.withLock { state in
            defer { state.isWaiting = false }
            return !state.isWaiting
        }
        var byte: UInt8 = 0
        if isWoken { _ = read(descriptor, &byte, 1) }
    }

    /// Makes the thread look again at what to wait for.
    func wake() {
        state.withLock { state in
            guard state.isWaiting, state.isOpen else { return }
            state.isWaiting = false
            var byte: UInt8 = 0
            _ = write(writingEnd, &byte, 1)
        }
    }

    /// Gives the descriptors back, once; waking does nothing from then on.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        guard isFirst else { return }
        for end in [descriptor, writingEnd] { Socket(descriptor: end).release() }
    }
}
