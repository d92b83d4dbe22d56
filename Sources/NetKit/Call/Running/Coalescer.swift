import Foundation
import NetKitSupport

/// Lets identical calls in flight share one transfer.
///
/// Each call keeps its own decoding, deadline, and cancellation. The transfer ends when the last call leaves it.
final class Coalescer: Sendable {
    /// The properties that calls must have in common to share a transfer.
    struct Key: Hashable, Sendable {
        private let type: ObjectIdentifier
        private let method: HTTPMethod
        private let url: String
        /// The values of the fields, byte by byte.
        private let fields: [HTTPHeaderName: [ExactText]]
        private let isAuthenticated: Bool
        private let cachePolicy: CachePolicy
        /// A call must not wait in the queue behind others because it joined one that may.
        private let priority: RequestPriority
        /// The idle timeout and the retries of the call, which the transfer has; nil for the endpoint's.
        private let idleTimeout: Duration?
        private let retries: Int?
        private let retryPolicy: RetryPolicy?
        /// The user of the endpoint's credential.
        private let identity: CredentialIdentity?
        /// The endpoint's settings, whose timeouts, policies and interceptors the transfer has.
        private let settings: ObjectIdentifier
        /// The refreshes in progress around the call.
        ///
        /// A call within a refresh must not wait for one that waits for the refresh.
        private let refreshes: Set<SharedWork>

        /// Creates a request's key, or returns nil if the request can't share a transfer.
        ///
        /// - Parameters:
        ///   - request: The request.
        ///   - encoded: The encoded request, without the credential and the jar's cookies.
        ///   - cachePolicy: The cache policy of the call, which may differ from the request's.
        ///   - control: The control of the call, whose settings take precedence over the request's.
        ///   - endpoint: The endpoint.
        ///   - settings: The endpoint's settings for the call. Those for a later call may be another user's.
        init?(
            _ request: some Request,
            _ encoded: EncodedRequest,
            _ cachePolicy: CachePolicy,
            _ control: CallControl,
            on endpoint: Endpoint,
            _ settings: SettingsSnapshot
        ) {
            guard request.isCoalesced, encoded.method == .get || encoded.method == .head,
                encoded.body == nil
            else { return nil }
            type = ObjectIdentifier(Swift.type(of: request) as Any.Type)
            method = encoded.method
            url = encoded.url.absoluteString
            let session = settings.values.session
            let sent = session?.added(to: encoded, at: endpoint.clock) ?? encoded
            fields = Dictionary(grouping: sent.headers.fields, by: \.name)
                .mapValues { $0.map { ExactText($0.value) } }
            identity = settings.values.identity
            self.settings = ObjectIdentifier(settings)
            isAuthenticated = encoded.isAuthenticated
            self.cachePolicy = cachePolicy
            priority = request.priority
            let own = control.settings
            idleTimeout = own.idleTimeout ?? request.ownTimeout
            retries = own.retries
            retryPolicy = request.retryPolicy
            refreshes = SharedWork.refreshes
        }
    }

    /// A transfer in flight.
    private final class Transfer: Sendable {
        struct State: ~Copyable {
            var waiting: [ObjectIdentifier: (wait: Wait, call: CallControl)] = [:]
            var result: AttemptResult?
        }

        let control: CallControl
        /// The reporter of the call that started the transfer, or nil without subscribers.
        let reporter: CallReporter?
        let work = SharedWork()
        /// Ends with the transfer.
        let end = Wait()
        let state = Locked(State())

        init(for member: CallControl, _ reporter: CallReporter?) {
            control = CallControl(clock: member.clock, settings: member.settings)
            self.reporter = reporter
            control.share { [weak self] in
                self?.state.withLock { $0.waiting.values.map(\.call) } ?? []
            }
        }
    }

    private let transfers = Locked<[Key: Transfer]>([:])

    /// The number of calls that wait for a transfer, for tests.
    var waiting: Int {
        transfers.withLock { transfers in
            transfers.values.reduce(0) { $0 + $1.state.withLock { $0.waiting.count } }
        }
    }

    /// Joins the transfer of `key`, or starts it.
    ///
    /// A call that the transfer waits for, such as one from its own interceptor, sends its request by itself.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - request: The encoded request.
    ///   - control: The control of this call.
    ///   - reporter: The reporter of this call, which reports the transfer once the earlier calls have left it.
    ///   - send: Sends the request under the transfer's own control, or under this call's.
    /// - Returns: The shared result, or a failure if this call was stopped first.
    func run(
        _ key: Key,
        _ request: EncodedRequest,
        control: CallControl,
        reporter: CallReporter?,
        send: @escaping @Sendable (CallControl) async -> AttemptResult
    ) async -> AttemptResult {
        if Task.isCancelled { control.stop(.cancelled) }
        if let stopped = control.stopped {
            return AttemptResult(request, failure: CallFailure(stopped))
        }
        let wait = Wait()
        guard let (transfer, isNew, waiting) = join(key, wait, reporter, control) else {
            return await send(control)
        }
        if isNew {
            Task {
                let result = await transfer.work.run { await send(transfer.control) }
                self.end(transfer, of: key, result)
            }
        }
        await withTaskCancellationHandler {
            await wait.run(control)
        } onCancel: {
            control.stop(.cancelled)
        }
        waiting.end()
        let (result, isLast) = transfer.state.withLock { state in
            state.waiting[ObjectIdentifier(wait)] = nil
            return (state.result, state.waiting.isEmpty)
        }
        let reason = control.stopped ?? .cancelled
        if result == nil, isLast, leave(transfer, of: key, because: reason) {
            // It is stopped, and reports how it ends.
            await transfer.end.run(CallControl(clock: control.clock))
        }
        control.adopt(transfer.control.history)
        if let result { return result }
        return AttemptResult(request, failure: CallFailure(reason))
    }

    /// Adds a waiting call to a transfer.
    ///
    /// It runs under one lock, so that no call joins a transfer that is being abandoned. It returns nil if the transfer
    /// waits for the call.
    private func join(
        _ key: Key,
        _ wait: Wait,
        _ reporter: CallReporter?,
        _ member: CallControl
    ) -> (Transfer, isNew: Bool, SharedWork.Waiting)? {
        transfers.withLock { transfers in
            let known = transfers[key]
            let transfer = known ?? Transfer(for: member, reporter)
            guard let waiting = transfer.work.beginWait() else { return nil }
            transfers[key] = transfer
            if known != nil, let reporter { transfer.reporter?.share(with: reporter) }
            transfer.state.withLock { $0.waiting[ObjectIdentifier(wait)] = (wait, member) }
            return (transfer, known == nil, waiting)
        }
    }

    /// Stops a transfer that has no waiting calls, as the last of them was stopped.
    ///
    /// - Returns: Whether it did: the last of several calls that leave does.
    private func leave(_ transfer: Transfer, of key: Key, because reason: StopReason) -> Bool {
        let isLeft = transfers.withLock { transfers in
            // One that has ended, or that another call has left, is no longer there.
            guard transfers[key] === transfer, transfer.state.withLock({ $0.waiting.isEmpty })
            else { return false }
            transfers[key] = nil
            return true
        }
        if isLeft { transfer.control.stop(reason) }
        return isLeft
    }

    private func end(_ transfer: Transfer, of key: Key, _ result: AttemptResult) {
        let waiting = transfers.withLock { transfers in
            if transfers[key] === transfer { transfers[key] = nil }
            return transfer.state.withLock { state in
                state.result = result
                return Array(state.waiting.values)
            }
        }
        for (wait, _) in waiting { wait.finish() }
        transfer.end.finish()
    }
}
