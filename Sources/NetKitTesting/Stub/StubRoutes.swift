import NetKit
import NetKitSupport

/// The routes of a ``StubTransport``, and the requests that it received.
struct StubRoutes: Sendable {
    /// A route and the number of its requests.
    struct Route: Sendable {
        let stub: Stub
        let pattern: StubPattern
        /// The maximum number of requests that it answers.
        let limit: Int?
        /// The number of requests that it must answer to count as used.
        let needed: Int
        /// The values of the placeholders in the request that a typed route was made from; nil for another route.
        let values: [String: String]?
        let reply: @Sendable (StubRequest) throws -> StubReply
        var uses = 0

        /// Whether the route isn't typed, or was made from a request with these values of the placeholders.
        func isMade(for parameters: [String: String]) -> Bool {
            values.map { own in parameters.allSatisfy { own[$0.key] == $0.value } } ?? true
        }
    }

    var routes: [Route] = []
    private(set) var requests: [StubRequest] = []
    /// For each request, the number of the route that answered it; nil for none.
    private(set) var answeredBy: [Int?] = []
    private var lastNumber = 0

    /// Returns the number of the next request.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Records a request and finds its route.
    ///
    /// - Parameter request: The request, not yet assigned to a route.
    /// - Returns: The request with its placeholders, and the route; or the error if there is none.
    mutating func take(_ request: StubRequest) -> Result<(StubRequest, Route), TransportError> {
        if let (index, parameters) = match(request) {
            let route = routes[index]
            routes[index].uses += 1
            var asked = request
            asked.occurrence = routes[index].uses
            asked.parameters = parameters
            requests.append(asked)
            answeredBy.append(route.stub.number)
            return .success((asked, route))
        }
        requests.append(request)
        answeredBy.append(nil)
        let nearest = routes.map { ($0, $0.pattern.distance(to: request.method, request.url)) }
            .sorted { $0.1 < $1.1 }
            .prefix(3)
            .map(\.0)
        let failure = UnmatchedRequest(
            request: "\(request.method) \(RedactedURL(request.url))",
            nearest: nearest.map(\.stub),
            obstacles: nearest.map { $0.obstacle(to: request) }
        )
        return .failure(TransportError(.other, underlying: failure))
    }

    /// Returns the route that answers a request, and the values of its placeholders.
    ///
    /// That is the last one. A typed one with other values gives way to an earlier typed one with the request's.
    private func match(_ request: StubRequest) -> (index: Int, parameters: [String: String])? {
        var last: (index: Int, parameters: [String: String])?
        for index in routes.indices.reversed() {
            let route = routes[index]
            guard route.uses < route.limit ?? .max,
                let parameters = route.pattern.match(request.method, request.url)
            else { continue }
            if last != nil, route.values == nil { return last }
            if route.isMade(for: parameters) { return (index, parameters) }
            last = last ?? (index, parameters)
        }
        return last
    }
}

extension StubRoutes.Route {
    /// What keeps the route from answering a request of its method and path; nil for another request.
    func obstacle(to request: StubRequest) -> String? {
        if pattern.match(request.method, request.url) != nil { return "has reached its limit" }
        return pattern.unmetQueryItem(by: request.method, request.url)
            .map { "needs its query item \($0.debugDescription)" }
    }
}
