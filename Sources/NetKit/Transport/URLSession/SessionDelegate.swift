import Foundation
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards URLSession's reports to the exchange that they concern.
///
/// On Linux, URLSession calls it on its own work queue, one call at a time. See ``InlineQueue``. Every call back into
/// URLSession goes over ``lane``.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The serial queue for canceling tasks and for answering challenges and redirects.
    let lane: DispatchQueue
    private struct State: ~Copyable {
        var exchanges: [Int: URLSessionExchange] = [:]
        /// Whether the exchanges are checked once per second.
        var isWatching = false
    }

    private let state = Locked(State())

    /// Creates a delegate for one session.
    ///
    /// - Parameter lane: The lane, which several sessions of a transport share. Defaults to a new one.
    init(lane: DispatchQueue = DispatchQueue(label: "NetKit.session", qos: .userInitiated)) {
        self.lane = lane
    }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        let isWatching = state.withLock { state in
            state.exchanges[task.taskIdentifier] = exchange
            defer { state.isWatching = true }
            return state.isWatching
        }
        if !isWatching { watch() }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        exchange(of: dataTask)?.received(response, for: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data, for: dataTask)
    }

    /// Refuses the redirect, so that the 3xx is the response.
    ///
    /// NetKit follows redirects itself.
    ///
    /// On Linux, answering after a cancellation crashes the process. Both happen on the lane, so that an answer that runs
    /// after a cancellation is dropped. Apple platforms need an answer in any case.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        lane.async {
            #if canImport(FoundationNetworking)
            guard task.state == .running else { return }
            #endif
            completionHandler(nil)
        }
    }

    /// Leaves challenges to URLSession, which has no credentials, so that the 401 is the response.
    ///
    /// On Linux, a call with a basic challenge would then never end. Canceling the challenge makes the 401 the response
    /// there. On Apple platforms, it would end the call.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic {
            exchange(of: task)?.challenged()
            lane.async { completionHandler(.cancelAuthenticationChallenge, nil) }
            return
        }
        #endif
        lane.async { completionHandler(.performDefaultHandling, nil) }
    }

    #if !canImport(FoundationNetworking)
    /// Reports the bytes of the body that were sent, as the body's stream does on Linux.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent)
    }
    #endif

    /// Fails the exchange when URLSession wants to resend the body.
    ///
    /// URLSession does so when a reused connection was closed. This method runs on URLSession's work queue, where
    /// `cancel` would deadlock.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        exchange(of: task)?.askedToReplay(task)
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        exchange?.completed(task, error: error)
    }
}

#if canImport(FoundationNetworking)
extension SessionDelegate {
    /// The queue for checking the exchanges, which never blocks.
    private static let watch = DispatchQueue(label: "NetKit.redirects", qos: .userInitiated)

    /// Checks once per second for redirects that URLSession doesn't report, while there are exchanges.
    private func watch() {
        Self.watch.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.look() }
    }

    private func look() {
        let exchanges = state.withLock { state in
            state.isWatching = !state.exchanges.isEmpty
            return Array(state.exchanges.values)
        }
        guard !exchanges.isEmpty else { return }
        for exchange in exchanges { exchange.endLongRedirect() }
        watch()
    }
}
#else
extension SessionDelegate {
    /// Does nothing, because Apple platforms report a redirect when its head arrives.
    private func watch() {}
}
#endif

#if canImport(FoundationNetworking)
/// The queue on which URLSession calls its delegate.
///
/// It runs each block at once on URLSession's own work queue, which saves three thread switches per request. The
/// delegate must therefore never block and never call back into URLSession there, which would deadlock.
/// ``SessionDelegate`` answers and cancels on its own lane.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state, and the work queue is serial.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#else
/// The serial queue on which URLSession calls its delegate.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Proof: it has no state, and an operation queue is thread-safe.
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        qualityOfService = .userInitiated
    }
}
#endif
