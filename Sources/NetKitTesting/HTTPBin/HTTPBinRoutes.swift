import Foundation

extension MockServer {
    /// Creates a server with the routes of httpbin.org; see ``addHTTPBinRoutes()``.
    ///
    /// - Parameter port: The port on 127.0.0.1. Defaults to 0, which chooses a free port.
    /// - Returns: The server.
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    public static func httpbin(port: Int = 0) throws -> MockServer {
        let server = try MockServer(port: port)
        server.addHTTPBinRoutes()
        return server
    }

    /// Adds the routes of httpbin.org that are useful for testing clients.
    ///
    /// - Echo: `/get`, `/post`, `/put`, `/patch`, `/delete`, `/anything`, `/headers`, `/ip`,
    ///   `/user-agent`
    /// - Statuses and redirects: `/status/N`, `/redirect-to?url=…&status_code=…`, `/redirect/N`,
    ///   `/absolute-redirect/N`, `/response-headers?Name=value`
    /// - Credentials: `/basic-auth/user/password`, `/bearer`
    /// - Content: `/json`, `/uuid`, `/bytes/N?seed=…`, `/gzip`
    /// - Time and framing: `/delay/N` (seconds, fractions allowed), `/stream/N`,
    ///   `/stream-bytes/N?chunk_size=…`, `/drip?numbytes=…&duration=…&delay=…&code=…`
    ///
    /// An invalid or out-of-range number gets a 400. `/bytes/N` returns the same bytes for the same
    /// seed.
    public func addHTTPBinRoutes() {
        addEchoRoutes()
        addStatusRoutes()
        addCredentialRoutes()
        addContentRoutes()
        addStreamRoutes()
    }

    /// Adds a route that turns an ``HTTPBinRefusal`` into a response.
    func answer(
        _ method: String?,
        _ path: String,
        _ respond: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) {
        route(method, path) { request in
            do {
                return try respond(request)
            } catch let refusal as HTTPBinRefusal {
                return .text("\(refusal.reason)\n", status: refusal.status)
            }
        }
    }
}

/// The reason why a request can't be answered.
struct HTTPBinRefusal: Error {
    var reason: String
    var status = 400
}

extension RecordedRequest {
    /// Returns the number at the end of the path.
    ///
    /// - Parameters:
    ///   - range: The allowed range.
    ///   - read: A closure that parses the number.
    /// - Returns: The number.
    /// - Throws: ``HTTPBinRefusal`` if there is not a number in the range.
    func number<Number>(
        _ range: ClosedRange<Number>,
        _ read: (String) -> Number?
    ) throws(HTTPBinRefusal) -> Number {
        guard let number = read(pathSegments.last ?? ""), range.contains(number) else {
            throw HTTPBinRefusal(reason: "no number in \(range) at the end of \(path)")
        }
        return number
    }

    /// Returns the number in a query item.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - fallback: The number to use if the item is missing.
    ///   - range: The allowed range.
    ///   - read: A closure that parses the number.
    /// - Returns: The number.
    /// - Throws: ``HTTPBinRefusal`` if there is not a number in the range.
    func number<Number>(
        _ name: String,
        or fallback: Number,
        in range: ClosedRange<Number>,
        _ read: (String) -> Number?
    ) throws(HTTPBinRefusal) -> Number {
        guard let text = queryValue(name) else { return fallback }
        guard let number = read(text), range.contains(number) else {
            throw HTTPBinRefusal(reason: "\(name) is not a number in \(range)")
        }
        return number
    }
}
