public import NetKit

extension StubTransport {
    /// Answers requests by a closure.
    ///
    /// Of several routes for a request the one that was added last answers it, as long as it has not
    /// reached its limit.
    ///
    /// - Parameters:
    ///   - method: The method, nil for any. HEAD is answered by GET's routes too.
    ///   - path: The path below ``init(basePath:encoder:seed:clock:)``'s base path, with or without a slash
    ///     in front: `{name}` stands for a segment or some of it, a `*` at the end for any others. Query
    ///     items in it, with or without placeholders, have to be in the request's query, among others. A
    ///     whole address, `https://other.example/login`, is for that origin alone.
    ///   - limit: How many requests it answers at most, which is also how many it has to answer to be no
    ///     unused one; nil, the default, for any number, and at least one.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    ///   - reply: Makes the reply, on a thread of the transport's. An error that it throws is the
    ///     request's failure: a `TransportError` as it is, any other beneath one of the kind `.other`.
    /// - Returns: The route, to ask for its requests by ``requests(of:)``.
    @discardableResult
    public func on(
        _ method: HTTPMethod?,
        _ path: String,
        atMost limit: Int? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        reply: @escaping @Sendable (StubRequest) throws -> StubReply
    ) -> Stub {
        let pattern = StubPattern(method, path, below: basePath)
        return state.withLock { state in
            let stub = Stub(
                number: state.routes.count + 1,
                method: method,
                path: path,
                fileID: fileID,
                line: line
            )
            let route = StubRoutes.Route(
                stub: stub,
                pattern: pattern,
                limit: limit,
                needed: limit ?? 1,
                reply: reply
            )
            state.routes.append(route)
            return stub
        }
    }

    /// Answers requests by these replies, one after the other; the last one is repeated.
    ///
    /// The route is used when each reply has been given.
    ///
    /// - Parameters:
    ///   - method: The method, nil for any.
    ///   - path: As in ``on(_:_:atMost:fileID:line:reply:)``.
    ///   - replies: The replies; without any, each request is answered by a 404.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on(
        _ method: HTTPMethod?,
        _ path: String,
        replies: StubReply...,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub {
        let stub = on(method, path, fileID: fileID, line: line) { request in
            guard !replies.isEmpty else { return .status(404) }
            return replies[min(request.occurrence, replies.count) - 1]
        }
        state.withLock { $0.routes[stub.number - 1].needed = max(1, replies.count) }
        return stub
    }
}
