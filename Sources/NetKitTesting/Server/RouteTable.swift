/// The routes of a server.
struct RouteTable {
    /// A closure that returns the response to a request.
    typealias Responder = @Sendable (RecordedRequest) throws -> MockResponse

    private struct Route {
        var method: String?
        var path: String
        var isPrefix: Bool
        var responder: Responder

        func matches(_ method: String, _ path: String) -> Bool {
            guard self.method == nil || self.method == method else { return false }
            guard isPrefix else { return path == self.path }
            // "/files/*" matches "/files/…" and "/files" itself.
            return path.hasPrefix(self.path) || path + "/" == self.path
        }
    }

    private var routes: [Route] = []

    /// Adds a route, which takes precedence over earlier ones.
    mutating func add(_ method: String?, _ path: String, _ responder: @escaping Responder) {
        let isPrefix = path.hasSuffix("/*")
        let stem = isPrefix ? String(path.dropLast()) : path
        let route = Route(method: method, path: stem, isPrefix: isPrefix, responder: responder)
        routes.append(route)
    }

    /// Returns the closure for a request; nil if no route matches.
    ///
    /// GET routes answer a HEAD request without its own route.
    func responder(method: String, path: String) -> Responder? {
        if let route = routes.last(where: { $0.matches(method, path) }) { return route.responder }
        guard method == "HEAD" else { return nil }
        return routes.last { $0.matches("GET", path) }?.responder
    }
}
