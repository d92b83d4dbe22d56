public import NetKit
import NetKitSupport

extension StubTransport {
    /// The requests that were read in full, in order.
    ///
    /// A request is added before it is answered.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// Returns the requests that a route answered.
    ///
    /// - Parameter stub: The route.
    /// - Returns: The requests, in order.
    public func requests(of stub: Stub) -> [StubRequest] {
        state.withLock { state in
            // A route of another transport can have the same number.
            guard state.routes.contains(where: { $0.stub == stub }) else { return [] }
            return state.requests.indices.filter { state.answeredBy[$0] == stub.number }
                .map { state.requests[$0] }
        }
    }

    /// Returns the requests to a path, whichever route answered them.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The path, as in ``on(_:_:atMost:fileID:line:reply:)``.
    /// - Returns: The requests, in order.
    public func requests(_ method: HTTPMethod?, _ path: String) -> [StubRequest] {
        let pattern = StubPattern(method, path, below: basePath)
        return requests.filter { request in
            (pattern.method == nil || pattern.method == request.method)
                && pattern.match(request.method, request.url) != nil
        }
    }

    /// The requests that no route answered.
    public var unmatchedRequests: [StubRequest] {
        state.withLock { state in
            state.requests.indices.filter { state.answeredBy[$0] == nil }
                .map { state.requests[$0] }
        }
    }

    /// The routes that answered fewer requests than their replies or limit require, at least one.
    public var unusedStubs: [Stub] {
        state.withLock { state in
            state.routes.filter { $0.uses < $0.needed }.map(\.stub)
        }
    }

    /// Checks that every route was used, and that a route answered every request.
    ///
    /// - Throws: A ``StubError`` that lists the exceptions.
    public func checkAllUsed() throws(StubError) {
        let unused = unusedStubs
        let unmatched = unmatchedRequests.map(\.description)
        guard unused.isEmpty, unmatched.isEmpty else {
            throw StubError(unused: unused, unmatched: unmatched)
        }
    }

    /// Waits, in real time, until a number of requests have been read.
    ///
    /// - Parameters:
    ///   - count: The number of requests, including earlier ones.
    ///   - timeout: The longest time to wait. Defaults to a minute.
    /// - Returns: The requests so far, which may be more.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``, or `CancellationError` if the
    ///   task is canceled.
    @discardableResult
    public func waitForRequests(
        _ count: Int,
        timeout: Duration = .seconds(60)
    ) async throws -> [StubRequest] {
        let end = ContinuousClock.now + timeout
        while requests.count < count {
            guard ContinuousClock.now < end else {
                throw MockServerError.timedOut(waitingFor: "\(count) requests", after: timeout)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        return requests
    }
}
