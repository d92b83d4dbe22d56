internal import CLibcurl
internal import Foundation
internal import NetKit
import NetKitSupport

/// An order to the thread of a transport.
enum CurlCommand: Sendable {
    case start(CurlTransfer)
    case cancel(CurlTransfer)
    /// There is room for the response, or there are bytes for the request.
    case proceed(CurlTransfer)
    /// Refuse new transfers, and end when the last one has ended.
    case stop(CheckedContinuation<Void, Never>?)

    /// Ends what waits for the order, because no thread is there to carry it out.
    func abandon(_ failure: ExchangeFailure) {
        switch self {
        case .start(let transfer): transfer.finish(failure)
        case .stop(let continuation): continuation?.resume()
        case .cancel, .proceed: break
        }
    }
}

/// The orders that wait for the thread of a transport, which starts with the first one.
///
/// Any thread posts. The thread is woken only if it sleeps.
final class CurlMailbox: Sendable {
    private struct State {
        var commands: [CurlCommand] = []
        var poller: CurlPoller?
        var isSleeping = false
        /// Whether no new transfers are taken.
        var isStopping = false
        /// Whether the thread has ended, or will never start.
        var hasEnded = false
    }

    private let state = Locked(State())
    private let startThread: CurlThread.Start

    init(startThread: @escaping CurlThread.Start) { self.startThread = startThread }

    /// Starts a transfer, and the thread if it is the first one.
    ///
    /// - Returns: Whether it was taken: not after a stop.
    /// - Throws: `TransportError` if the system has no descriptors left.
    func start(
        _ transfer: CurlTransfer,
        with configuration: CurlTransport.Configuration
    ) throws(TransportError) -> Bool {
        let (isTaken, sleeper, isFirst) = try state.withLock {
            (state) throws(TransportError) -> (Bool, CurlPoller?, CurlPoller?) in
            guard !state.isStopping else { return (false, nil, nil) }
            state.commands.append(.start(transfer))
            guard let poller = state.poller else {
                guard let poller = CurlPoller() else {
                    state.commands.removeLast()
                    throw TransportError(.other, underlying: CurlProblem("no descriptors are left"))
                }
                state.poller = poller
                return (true, nil, poller)
            }
            defer { state.isSleeping = false }
            return (true, state.isSleeping ? poller : nil, nil)
        }
        sleeper?.wake()
        if let poller = isFirst { begin(on: poller, with: configuration) }
        return isTaken
    }

    /// Starts the thread, or fails what was posted meanwhile.
    ///
    /// The next request starts another one.
    private func begin(on poller: CurlPoller, with configuration: CurlTransport.Configuration) {
        let code = startThread { [self] in CurlLoop(poller, self, configuration).run() }
        guard code != 0 else { return }
        let reason = String(cString: strerror(code)).lowercased()
        let problem = CurlProblem("no thread can be started for libcurl: \(reason)")
        let commands = state.withLock { state in
            state.poller = nil
            if state.isStopping { state.hasEnded = true }
            defer { state.commands = [] }
            return state.commands
        }
        for command in commands {
            command.abandon(.failed(TransportError(.unsupported, underlying: problem)))
        }
    }

    /// Posts an order about a transfer that was started, or the order to stop.
    func post(_ command: CurlCommand) {
        let (sleeper, waiting) = state.withLock {
            state -> (CurlPoller?, CheckedContinuation<Void, Never>?) in
            if case .stop(let continuation) = command {
                state.isStopping = true
                if state.poller == nil { state.hasEnded = true }
                if state.hasEnded { return (nil, continuation) }
            }
            guard !state.hasEnded else { return (nil, nil) }
            state.commands.append(command)
            defer { state.isSleeping = false }
            return (state.isSleeping ? state.poller : nil, nil)
        }
        sleeper?.wake()
        waiting?.resume()
    }

    // MARK: The thread

    /// Takes all orders.
    ///
    /// - Parameters:
    ///   - commands: Where to put them; empty.
    ///   - maySleep: Whether the thread sleeps if there are none.
    /// - Returns: Whether the thread may sleep: the next order wakes it.
    func take(into commands: inout [CurlCommand], maySleep: Bool) -> Bool {
        let empty = commands
        let (taken, isSleeping) = state.withLock { state -> ([CurlCommand], Bool) in
            state.isSleeping = maySleep && state.commands.isEmpty
            guard !state.commands.isEmpty else { return (empty, state.isSleeping) }
            let all = state.commands
            state.commands = empty
            return (all, false)
        }
        commands = taken
        return isSleeping
    }

    /// Ends the thread's part, and returns the orders that it didn't carry out.
    func end() -> [CurlCommand] {
        state.withLock { state in
            (state.isStopping, state.hasEnded, state.isSleeping) = (true, true, false)
            defer { (state.commands, state.poller) = ([], nil) }
            return state.commands
        }
    }
}

/// The descriptors that a thread waits for, and the way to wake it.
final class CurlPoller: @unchecked Sendable {
    // Proof: other threads only call `nk_poller_wake`, which writes to a descriptor that never changes and that lives as long
    // as this object. All else is called by the thread of the loop.
    let pointer: OpaquePointer

    /// - Parameter rest: The milliseconds for which the room of a socket isn't watched that libcurl waits for and doesn't use.
    init?(rest: Int32 = 20) {
        guard let pointer = nk_poller_create(rest) else { return nil }
        self.pointer = pointer
    }

    deinit { nk_poller_destroy(pointer) }

    func wake() { nk_poller_wake(pointer) }
}

/// A thread of a transport.
enum CurlThread {
    /// The way to start one: runs a closure on a new thread, and returns 0 or the error of the system.
    typealias Start = @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32

    /// Starts a thread.
    ///
    /// `Thread` of Foundation doesn't tell when the system refuses one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Body(run: body))
        let result = nk_thread_start("NetKitCurl", context.toOpaque()) { context in
            guard let context else { return }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
        if result != 0 { context.release() }
        return result
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
