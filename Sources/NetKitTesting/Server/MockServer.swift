public import Foundation

/// An HTTP/1.1 server on 127.0.0.1 for tests: it answers as it is told and writes down what it gets.
///
/// Each server has a port of its own that the system chooses, and shares nothing with the others:
/// tests that run side by side each make one. It is listening when the initialiser returns, and
/// stops when it is released or told to.
///
/// ```swift
/// let server = try MockServer()
/// server.route("GET", "/users/*") { request in try .json(User(id: request.pathSegments[1])) }
/// server.enqueue(.status(503), .fault(.resetBeforeHead))     // the first two requests fail
/// …
/// let sent = try await server.waitForRequests(3)
/// #expect(sent[2].header("Authorization") == "Bearer t")
/// ```
///
/// A request that no queued response and no route answers gets a 404 that names it, one that
/// breaks HTTP's rules a 400 that says why, and one whose route throws a 500 with the error.
/// `Expect: 100-continue` is answered with a 100. Routes run on a queue of their connection; one
/// that waits holds up its own connection only, but a slow answer is better made with
/// ``MockResponse/delayed(by:)``, for which no thread waits.
public final class MockServer: Sendable {
    /// The port it listens on.
    public let port: Int
    let core: ServerCore
    private let loop: EventLoop

    /// Starts a server.
    ///
    /// - Parameter port: The port of 127.0.0.1 to listen on. The default, 0, chooses a free one.
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    public init(port: Int = 0) throws {
        core = ServerCore(waker: try Waker())
        let (listener, port) = try Socket.listening(on: port)
        self.port = port
        loop = EventLoop(listener: listener, core: core)
        loop.start()
    }

    deinit {
        stop()
    }

    /// `http://127.0.0.1:` and the port, without a slash at the end.
    public var baseURL: URL { url("") }

    /// The URL of a target on this server.
    ///
    /// - Parameter target: A path with its leading slash and perhaps a query, percent-encoded.
    /// - Returns: The URL; characters that a URL cannot have are percent-encoded.
    public func url(_ target: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(target)") ?? URL(fileURLWithPath: target)
    }

    /// Closes the port and every connection; its descriptors are given back when it returns.
    ///
    /// Responses under way break off, queued ones and routes are forgotten, and whoever waits for
    /// something gets ``MockServerError/stopped(waitingFor:)``. A route that is running runs to its
    /// end, for nobody. What was recorded stays. Stopping again does nothing.
    public func stop() {
        let (connections, routes) = core.withState { state in
            defer { state.routes = RouteTable() }
            state.isStopped = true
            state.queue.removeAll()
            return (Array(state.connections.values), state.routes)
        }
        for connection in connections { connection.close() }
        // What routes hold on to is released here, outside of the lock: it may be anything.
        withExtendedLifetime(routes) {}
        core.giveUpWaiting()
        core.waker.wake()
        loop.waitUntilEnded()
    }
}

// What it answers.
extension MockServer {
    /// Says how requests to a path are answered.
    ///
    /// Of several routes that match, the one added last wins. A HEAD request without a route of
    /// its own is answered by GET's, without the body.
    ///
    /// - Parameters:
    ///   - method: The method, in capitals; nil, the default, for every method.
    ///   - path: The path as it is sent, without a query. `/files/*` is for `/files` and everything
    ///     below it.
    ///   - respond: Makes the response; an error it throws becomes a 500 with the error's text.
    public func route(
        _ method: String? = nil,
        _ path: String,
        _ respond: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) {
        core.withState { state in
            guard !state.isStopped else { return }
            state.routes.add(method, path, respond)
        }
    }

    /// Queues responses: each answers one request, first in first out, before any route is asked.
    public func enqueue(_ responses: MockResponse...) {
        enqueue(responses)
    }

    /// Queues responses: each answers one request, first in first out, before any route is asked.
    public func enqueue(_ responses: [MockResponse]) {
        core.withState { state in
            guard !state.isStopped else { return }
            state.queue.append(responses)
        }
    }

    /// Closes the connections on which neither a request nor a response is under way.
    ///
    /// The clients' systems have been told when this returns.
    ///
    /// - Returns: How many connections were closed.
    @discardableResult
    public func closeIdleConnections() -> Int {
        let connections = core.withState { Array($0.connections.values) }
        return connections.filter { $0.close(onlyIfIdle: true) }.count
    }
}
