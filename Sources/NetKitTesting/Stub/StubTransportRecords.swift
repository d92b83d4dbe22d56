public import NetKit

extension StubTransport {
    /// The requests that were read in full, in the order in which they were.
    ///
    /// A request is here before it is answered.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// The requests that a route answered.
    ///
    /// - Parameter stub: The route.
    /// - Returns: The requests, in order.
    public func requests(of stub: Stub) -> [StubRequest] {
        state.withLock { state in
            state.requests.indices.filter { state.answeredBy[$0] == stub.number }
                .map { state.requests[$0] }
        }
    }

    /// The requests to a path, whichever route answered them.
    ///
    /// - Parameters:
    ///   - method: The method, nil for any.
    ///   - path: As in ``on(_:_:atMost:fileID:line:reply:)``.
    /// - Returns: The requests, in order.
    public func requests(_ method: HTTPMethod?, _ path: String) -> [StubRequest] {
        let pattern = StubPattern(method, path, below: basePath)
        return requests.filter { request in
            (method == nil || method == request.method)
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

    /// The routes that answered no request, or fewer than they have replies or a limit for.
    public var unusedStubs: [Stub] {
        state.withLock { state in
            state.routes.filter { $0.uses < $0.needed }.map(\.stub)
        }
    }

    /// Checks that every route was used, and every request answered by one.
    ///
    /// - Throws: A ``StubFailure`` that names those that were not.
    public func checkAllUsed() throws(StubFailure) {
        let unused = unusedStubs
        let unmatched = unmatchedRequests.map(\.description)
        guard unused.isEmpty, unmatched.isEmpty else {
            throw StubFailure(unused: unused, unmatched: unmatched)
        }
    }

    /// Waits, in real time, until so many requests have been read.
    ///
    /// - Parameters:
    ///   - count: How many, those that were read before included.
    ///   - timeout: How long to wait. The default is 20 seconds.
    /// - Returns: The requests, which may be more.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``, or `CancellationError` if the task is
    ///   cancelled.
    @discardableResult
    public func waitForRequests(
        _ count: Int,
        timeout: Duration = .seconds(20)
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
