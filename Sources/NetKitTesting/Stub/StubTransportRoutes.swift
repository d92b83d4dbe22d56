public import NetKit
import NetKitSupport

extension StubTransport {
    /// Adds a route that answers requests with a closure.
    ///
    /// If several routes match, the one added last answers, unless it has reached its limit.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any. GET routes also answer HEAD.
    ///   - path: The path below the base path of ``init(basePath:encoder:seed:clock:)``, with or
    ///     without a leading slash. `{name}` matches a segment or a part of it, `{name*}` several
    ///     segments, and a final `*` any further ones. An escaped brace, `%7B`, is text. Query items
    ///     in the path, with or without placeholders, must be in the request's query, which can have
    ///     others. An absolute URL, `https://other.example/login`, matches only that origin.
    ///   - limit: The number of requests that the route answers, and must answer to count as used.
    ///     Defaults to nil, which means any number, and at least one.
    ///   - fileID: The location of the call. Don't pass this argument.
    ///   - line: The location of the call. Don't pass this argument.
    ///   - reply: A closure that returns the reply, on a thread of the transport. An error that it
    ///     throws is the request's failure: a `TransportError` unchanged, any other as the
    ///     underlying error of one of kind `.other`.
    /// - Returns: The route, for ``requests(of:)``.
    @discardableResult
    public func on(
        _ method: HTTPMethod?,
        _ path: String,
        atMost limit: Int? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        reply: @escaping @Sendable (StubRequest) throws -> StubReply
    ) -> Stub {
        add(method, path, limit: limit, needed: limit ?? 1, (fileID, line), reply)
    }

    /// Adds a route that answers with replies in order, and repeats the last one.
    ///
    /// The route counts as used after every reply has been sent.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The path, as in ``on(_:_:atMost:fileID:line:reply:)``.
    ///   - replies: The replies. Without any, every request gets a 404.
    ///   - fileID: The location of the call. Don't pass this argument.
    ///   - line: The location of the call. Don't pass this argument.
    /// - Returns: The route.
    @discardableResult
    public func on(
        _ method: HTTPMethod?,
        _ path: String,
        replies: StubReply...,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub {
        add(method, path, needed: max(1, replies.count), (fileID, line)) { request in
            guard !replies.isEmpty else { return .status(404) }
            return replies[min(request.occurrence, replies.count) - 1]
        }
    }

    func add(
        _ method: HTTPMethod?,
        _ path: String,
        limit: Int? = nil,
        needed: Int = 1,
        values: [String: String]? = nil,
        _ place: (fileID: String, line: Int),
        _ reply: @escaping @Sendable (StubRequest) throws -> StubReply
    ) -> Stub {
        let pattern = StubPattern(method, path, below: basePath)
        return state.withLock { state in
            let stub = Stub(
                number: state.routes.count + 1,
                method: pattern.method,
                path: path,
                fileID: place.fileID,
                line: place.line
            )
            let route = StubRoutes.Route(
                stub: stub,
                pattern: pattern,
                limit: limit,
                needed: needed,
                values: values,
                reply: reply
            )
            state.routes.append(route)
            return stub
        }
    }
}
