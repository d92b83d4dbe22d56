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
        let reply: @Sendable (StubRequest) throws -> StubReply
        var uses = 0
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
