import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes what URLSession reports to the exchange that it is about.
///
/// On Linux it is called on URLSession's own work queue, one call at a time; see ``InlineQueue``.
/// Everything that calls URLSession back goes over ``lane``.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The serial queue on which alone tasks are cancelled and challenges and redirects answered.
    let lane: DispatchQueue
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        /// Whether they are looked at once a second.
        var isWatching = false
    }

    private let state = Locked(State())

    /// Makes a delegate for one session.
    ///
    /// - Parameter lane: The lane of a transport that has several sessions; by default a new one.
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

    /// Redirects are NetKit's own: the 3xx is the response.
    ///
    /// An answer after a cancel ends the process. Both happen on the lane, so that one that was
    /// queued before a cancel and runs after it is not given at all.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        lane.async {
            guard task.state == .running else { return }
            completionHandler(nil)
        }
    }

    /// Basic authentication is answered by a 401: left to URLSession the call would never end.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        else {
            lane.async { completionHandler(.performDefaultHandling, nil) }
            return
        }
        exchange(of: task)?.challenged()
        lane.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    /// URLSession found a kept connection closed and would send the body a second time.
    ///
    /// Called on URLSession's work queue, where `cancel` would wait for itself.
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
    /// Where the exchanges are looked at; never waits for anything.
    private static let watch = DispatchQueue(label: "NetKit.redirects", qos: .userInitiated)

    /// Looks once a second, as long as there are exchanges, for redirects that URLSession tells nobody of.
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
    /// Apple's platforms tell of a redirect when its head is there.
    private func watch() {}
}
#endif
