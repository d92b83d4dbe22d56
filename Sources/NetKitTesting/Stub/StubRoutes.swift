import NetKit

/// The routes of a ``StubTransport`` and what they were asked.
struct StubRoutes: Sendable {
    /// A route and how often it was used.
    struct Route: Sendable {
        let stub: Stub
        let pattern: StubPattern
        /// How many requests it answers at most.
        let limit: Int?
        /// How many requests it is to answer.
        var needed: Int
        let reply: @Sendable (StubRequest) throws -> StubReply
        var uses = 0
    }

    var routes: [Route] = []
    private(set) var requests: [StubRequest] = []
    /// The number of the route that answers the request at the same place, nil for none.
    private(set) var answeredBy: [Int?] = []
    private var lastNumber = 0

    /// The number of the next request.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Takes note of a request and finds what answers it.
    ///
    /// - Parameter request: The request, of which no route knows yet.
    /// - Returns: The request as the route sees it, and the route; or that there is none.
    mutating func take(_ request: StubRequest) -> Result<(StubRequest, Route), TransportError> {
        for index in routes.indices.reversed() {
            let route = routes[index]
            guard route.uses < route.limit ?? .max,
                let parameters = route.pattern.match(request.method, request.url)
            else { continue }
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
        let nearest = routes.map { ($0.stub, $0.pattern.distance(to: request.method, request.url)) }
            .sorted { $0.1 < $1.1 }
            .prefix(3)
            .map(\.0)
        let failure = UnmatchedRequest(
            request: "\(request.method) \(RedactedURL(request.url))",
            nearest: nearest
        )
        return .failure(TransportError(.other, underlying: failure))
    }
}
