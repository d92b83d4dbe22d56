/// Which closure answers which request.
struct RouteTable {
    /// Makes the response to a request.
    typealias Responder = @Sendable (RecordedRequest) throws -> MockResponse

    private struct Route {
        var method: String?
        var path: String
        var isPrefix: Bool
        var responder: Responder

        func matches(_ method: String, _ path: String) -> Bool {
            guard self.method == nil || self.method == method else { return false }
            guard isPrefix else { return path == self.path }
            // "/files/*" stands for "/files/…" and for "/files" itself.
            return path.hasPrefix(self.path) || path + "/" == self.path
        }
    }

    private var routes: [Route] = []

    /// Adds a route, which wins over those that are there.
    mutating func add(_ method: String?, _ path: String, _ responder: @escaping Responder) {
        let isPrefix = path.hasSuffix("/*")
        let stem = isPrefix ? String(path.dropLast()) : path
        let route = Route(method: method, path: stem, isPrefix: isPrefix, responder: responder)
        routes.append(route)
    }

    /// The closure for a request, nil if there is no route.
    ///
    /// HEAD is answered by GET's routes where
    /// it has none of its own.
    func responder(method: String, path: String) -> Responder? {
        if let route = routes.last(where: { $0.matches(method, path) }) { return route.responder }
        guard method == "HEAD" else { return nil }
        return routes.last { $0.matches("GET", path) }?.responder
    }
}
