internal import CLibcurl
internal import Dispatch
internal import NetKit
import NetKitSupport

/// The thread of a transport: it owns the multi handle and all easy handles.
///
/// Nothing here is used by another thread. Others post orders to the mailbox.
final class CurlLoop {
    /// The maximum number of idle easy handles, each of which has a buffer.
    private static let maximumIdleHandles = 64
    /// The maximum number of sockets that are reported at a time.
    private static let readyCapacity = 64
    /// After how many rounds of orders and of transfers that go on at once the other sockets have their turn.
    private static let maximumRoundsWithoutSockets = 4
    /// The nanoseconds after which transfers look for ends that they didn't notice.
    private static let lookInterval: UInt64 = 200_000_000

    private let poller: CurlPoller
    private let mailbox: CurlMailbox
    private let options: CurlOptions
    private var multi: OpaquePointer?
    // The accesses to what each transfer changes aren't checked: nothing called during one comes back to the loop.
    @exclusivity(unchecked) private var idleHandles: [CurlHandle] = []
    private var running = 0
    private var roundsWithoutSockets = 0
    /// When libcurl wants to be called, in nanoseconds of the monotonic clock; nil for never, 0 for at once.
    private var deadline: UInt64?
    /// When the connections of an idle transport close.
    private var closing: UInt64?
    /// The handles of short bodies that libcurl sends by itself, until the bytes are on their way.
    @exclusivity(unchecked) private var unreported: [CurlHandle] = []
    /// The handles of live bodies, whose responses may end first.
    @exclusivity(unchecked) private var live: [CurlHandle] = []
    /// The handles whose responses may end unnoticed.
    @exclusivity(unchecked) private var multiplexed: [ObjectIdentifier: CurlHandle] = [:]
    /// When they look for their ends.
    private var look: UInt64?
    private var keepAlive = CurlKeepAlive()
    private let refusals = CurlRefusals()
    @exclusivity(unchecked) private var commands: [CurlCommand] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isStopping = false

    init(
        _ poller: CurlPoller,
        _ mailbox: CurlMailbox,
        _ configuration: CurlTransport.Configuration
    ) {
        self.poller = poller
        self.mailbox = mailbox
        options = CurlOptions(configuration)
        commands.reserveCapacity(64)
        idleHandles.reserveCapacity(Self.maximumIdleHandles)
    }

    /// Runs until the transport stops and its last transfer has ended.
    func run() {
        let ready = UnsafeMutablePointer<nk_ready>.allocate(capacity: Self.readyCapacity)
        defer { ready.deallocate() }
        while !(isStopping && running == 0) {
            let mayWait = mailbox.take(into: &commands, maySleep: deadline != 0)
            if !commands.isEmpty {
                for command in commands { carryOut(command) }
                commands.removeAll(keepingCapacity: true)
            }
            passDeadline()
            finishEnded()
            guard !(isStopping && running == 0) else { continue }
            // Without the promise to sleep, an order would not wake the thread.
            let waits = mayWait && deadline != 0
            roundsWithoutSockets = waits ? 0 : roundsWithoutSockets + 1
            guard waits || roundsWithoutSockets % Self.maximumRoundsWithoutSockets == 0 else {
                continue
            }
            reportShortBodies()
            let count = nk_poller_wait(
                poller.pointer,
                waits ? timeout : 0,
                ready,
                Int32(Self.readyCapacity)
            )
            if count > 0 { scheduleLook() }
            if let multi {
                if let look, look <= now { lookForEnds() }
                for index in 0..<Int(max(0, count)) {
                    _ = nk_multi_socket_ready(multi, poller.pointer, ready[index])
                }
                finishEnded()
            }
            closeIfIdle()
        }
        end()
    }

    private func carryOut(_ command: CurlCommand) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .proceed(let transfer): transfer.handle?.proceed()
        case .stop(let continuation):
            isStopping = true
            if let continuation { waiting.append(continuation) }
        }
    }

    // MARK: Transfers

    private func start(_ transfer: CurlTransfer) {
        guard !transfer.isCancelled else { return transfer.finish(.cancelled) }
        guard let multi = multi ?? makeMulti(), let handle = idleHandles.popLast() ?? makeHandle()
        else {
            return transfer.finish(.failed(TransportError(.other, underlying: Self.exhausted)))
        }
        transfer.begin(with: handle)
        handle.prepare(for: transfer, maximumAge: keepAlive.maximumAge(for: transfer.origin))
        if let refusal = handle.refusal {
            handle.release()
            return transfer.finish(.failed(refusal))
        }
        guard nk_multi_add(multi, handle.easy) == NK_OK else {
            handle.release()
            return transfer.finish(.failed(TransportError(.other, underlying: Self.exhausted)))
        }
        running += 1
        closing = nil
        if handle.hasShortBody { unreported.append(handle) }
        if handle.mayEndUnnoticed { multiplexed[ObjectIdentifier(handle)] = handle }
        if handle.hasLiveBody, CurlLibrary.shared.tellsQuiet {
            live.append(handle)
            nk_poller_report_quiet(poller.pointer) { owner, socket, isQuiet in
                CurlHandle.note(isQuiet: isQuiet, socket, owner)
            }
        }
    }

    private func cancel(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle, let multi else { return }
        // libcurl before 8.1 would keep what it holds back of a shared connection, for the handle's next transfer.
        handle.proceed()
        nk_multi_remove(multi, handle.easy)
        end(handle, .cancelled)
    }

    private func finishEnded() {
        guard let multi else { return }
        var result = 0
        var context: UnsafeMutableRawPointer?
        while nk_multi_next_ended(multi, &result, &context) != nil {
            guard let context else { continue }
            let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
            if result == NK_OK { handle.noteIdleConnection() }
            nk_multi_remove(multi, handle.easy)
            let outcome = handle.outcome(of: result)
            if outcome != nil, handle.beginAgain(), nk_multi_add(multi, handle.easy) == NK_OK {
                continue
            }
            // What it read of its connection's end, others may have missed.
            if outcome != nil { scheduleLook() }
            end(handle, handle.explained(outcome))
        }
        if !live.isEmpty { endAnswered() }
    }

    /// Ends the transfers whose responses have ended before their live bodies.
    private func endAnswered() {
        guard let multi else { return }
        for handle in live where handle.isAnswered {
            nk_multi_remove(multi, handle.easy)
            end(handle, handle.shortfall)
        }
    }

    private func scheduleLook() {
        if look == nil, !multiplexed.isEmpty { look = now &+ Self.lookInterval }
    }

    /// Lets each transfer over HTTP/2 look for what others have read of it, after something was read.
    private func lookForEnds() {
        look = nil
        // One by one: libcurl notes for the connection, and not for the transfer, that there is something to look for.
        for handle in multiplexed.values where handle.look() { passDeadline() }
    }

    /// Ends a transfer whose handle the multi handle no longer has.
    private func end(_ handle: CurlHandle, _ failure: ExchangeFailure?) {
        running -= 1
        if !unreported.isEmpty { unreported.removeAll { $0 === handle } }
        if !multiplexed.isEmpty { multiplexed[ObjectIdentifier(handle)] = nil }
        if !live.isEmpty {
            live.removeAll { $0 === handle }
            if live.isEmpty { nk_poller_report_quiet(poller.pointer, nil) }
        }
        guard let transfer = handle.transfer else { return }
        if let timeout = handle.keepAliveTimeout {
            keepAlive.learn(timeout, of: transfer.origin)
        }
        handle.release()
        // The next call finds the handle free, and its connection. After a failure, it may still hold bytes back.
        if failure == nil, idleHandles.count < Self.maximumIdleHandles {
            idleHandles.append(handle)
        }
        transfer.finish(failure)
        if running == 0 {
            let lifetime = max(.seconds(1), options.configuration.idleConnectionLifetime)
            closing = now &+ lifetime.clampedNanoseconds
        }
    }

    private func reportShortBodies() {
        guard !unreported.isEmpty else { return }
        unreported.removeAll { $0.reportShortBody() }
    }

    // MARK: Time

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The milliseconds to wait for sockets; -1 for as long as there is nothing to do.
    private var timeout: Int32 {
        guard deadline != nil || closing != nil || look != nil else { return -1 }
        let next = min(deadline ?? .max, closing ?? .max, look ?? .max)
        let now = now
        guard next > now else { return 0 }
        // Rounded up, so that the deadline has passed then.
        return Int32(clamping: (next - now + 999_999) / 1_000_000)
    }

    private func passDeadline() {
        // A transfer that proceeds at once sets its deadline to now again; the bound lets orders in between.
        for _ in 0..<4 {
            guard let multi, let deadline, deadline == 0 || deadline <= now else { return }
            self.deadline = nil
            _ = nk_multi_deadline_passed(multi, poller.pointer)
        }
    }

    fileprivate func setDeadline(in milliseconds: Int) {
        switch milliseconds {
        case ..<0: deadline = nil
        case 0: deadline = 0
        default: deadline = now &+ UInt64(milliseconds) &* 1_000_000
        }
    }

    /// Closes the connections of a transport without requests, which libcurl would only do with the next request.
    private func closeIfIdle() {
        guard running == 0, let closing, closing <= now else { return }
        closeConnections()
    }

    // MARK: Handles

    private static let exhausted = CurlProblem("libcurl has no memory left")

    private func makeMulti() -> OpaquePointer? {
        multi = nk_multi_create(
            poller.pointer,
            { _, milliseconds, context in
                guard let context else { return 0 }
                let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
                loop.setDeadline(in: milliseconds)
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        return multi
    }

    private func makeHandle() -> CurlHandle? {
        CurlHandle(options, refusals, poller: poller.pointer)
    }

    private func closeConnections() {
        if let multi { nk_multi_destroy(multi) }
        idleHandles = []
        (multi, deadline, closing, look) = (nil, nil, nil, nil)
    }

    private func end() {
        closeConnections()
        for command in mailbox.end() { command.abandon(.failed(.shutDown)) }
        for continuation in waiting { continuation.resume() }
    }
}

/// What servers say about how long they keep idle connections (`Keep-Alive: timeout=5`).
///
/// A request on a connection that the server is about to close would be lost, so a connection is used until a second before.
/// libcurl compares whole seconds, and one more may have passed.
struct CurlKeepAlive {
    private var timeouts: [Origin: Int] = [:]
    private static let maximumOrigins = 1_000

    mutating func learn(_ seconds: Int, of origin: Origin?) {
        guard let origin else { return }
        if timeouts.count >= Self.maximumOrigins, timeouts[origin] == nil { timeouts = [:] }
        timeouts[origin] = seconds
    }

    /// The maximum idle seconds of a connection to reuse; 0 for a new connection, nil for the transport's own limit.
    func maximumAge(for origin: Origin?) -> Int? {
        guard !timeouts.isEmpty, let origin, let seconds = timeouts[origin] else { return nil }
        return max(0, seconds - 2)
    }
}
