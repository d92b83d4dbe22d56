/// The routes of a server.
struct RouteTable {
    /// A closure that returns the response to a request.
    typealias Responder = @Sendable (RecordedRequest) throws -> MockResponse

    private struct Route {
        var method: String?
        var path: String
        var isPrefix: Bool
        var responder: Responder

        /// The segments of a path with placeholders, or nil without any.
        var segments: [Substring]?

        func matches(_ method: String, _ path: String) -> Bool {
            guard self.method == nil || self.method == method || self.method?.uppercased() == method
            else { return false }
            if let segments { return Self.matches(path, segments, isPrefix: isPrefix) }
            guard isPrefix else { return path == self.path }
            // "/files/*" matches "/files/…" and "/files" itself.
            return path.hasPrefix(self.path) || path + "/" == self.path
        }

        /// Whether the segments of a path are those of a pattern, of which `{name}` stands for any.
        private static func matches(_ path: String, _ pattern: [Substring], isPrefix: Bool) -> Bool
        {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            guard isPrefix ? segments.count >= pattern.count : segments.count == pattern.count
            else { return false }
            return zip(segments, pattern)
                .allSatisfy { segment, part in
                    part.first == "{" && part.last == "}" ? !segment.isEmpty : segment == part
                }
        }
    }

    private var routes: [Route] = []

    /// Adds a route, which takes precedence over earlier ones.
    ///
    /// The slash at the beginning of a path may be left out, and a method be in lowercase.
    mutating func add(_ method: String?, _ path: String, _ responder: @escaping Responder) {
        let isPrefix = path.hasSuffix("/*")
        // Not a path: `*`, and what proxies receive.
        let isOther = path == "*" || path.contains("://") || method?.uppercased() == "CONNECT"
        let isWhole = path.hasPrefix("/") || isOther
        let stem = (isWhole ? "" : "/") + (isPrefix ? String(path.dropLast()) : path)
        var route = Route(method: method, path: stem, isPrefix: isPrefix, responder: responder)
        if stem.contains("{") {
            route.segments = stem.split(separator: "/", omittingEmptySubsequences: false)
            if isPrefix { route.segments?.removeLast() }
        }
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
