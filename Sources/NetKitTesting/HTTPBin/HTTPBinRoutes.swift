import Foundation

extension MockServer {
    /// Starts a server that answers as httpbin.org does, see ``addHTTPBinRoutes()``.
    ///
    /// - Parameter port: The port of 127.0.0.1 to listen on. The default, 0, chooses a free one.
    /// - Returns: The server.
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    public static func httpbin(port: Int = 0) throws -> MockServer {
        let server = try MockServer(port: port)
        server.addHTTPBinRoutes()
        return server
    }

    /// Adds routes that answer as httpbin.org's do, for those of its paths that clients are tried on.
    ///
    /// - What was sent: `/get`, `/post`, `/put`, `/patch`, `/delete`, `/anything`, `/headers`,
    ///   `/ip`, `/user-agent`
    /// - Statuses and redirects: `/status/N`, `/redirect-to?url=…&status_code=…`, `/redirect/N`,
    ///   `/absolute-redirect/N`, `/response-headers?Name=value`
    /// - Credentials: `/basic-auth/user/password`, `/bearer`
    /// - Content: `/json`, `/uuid`, `/bytes/N?seed=…`, `/gzip`
    /// - Time and framing: `/delay/N` (seconds, fractions allowed), `/stream/N`,
    ///   `/stream-bytes/N?chunk_size=…`, `/drip?numbytes=…&duration=…&delay=…&code=…`
    ///
    /// A number that is none, or out of range, gets a 400. The bytes of `/bytes/N` are the same
    /// for the same seed.
    public func addHTTPBinRoutes() {
        addEchoRoutes()
        addStatusRoutes()
        addCredentialRoutes()
        addContentRoutes()
        addStreamRoutes()
    }

    /// Adds a route whose refusals become responses.
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

/// Why a request cannot be answered as its path says.
struct HTTPBinRefusal: Error {
    var reason: String
    var status = 400
}

extension RecordedRequest {
    /// The number at the end of the path.
    ///
    /// - Parameters:
    ///   - range: What it may be.
    ///   - read: Reads a number.
    /// - Returns: The number.
    /// - Throws: ``HTTPBinRefusal`` if there is none in the range.
    func number<Number>(
        _ range: ClosedRange<Number>,
        _ read: (String) -> Number?
    ) throws(HTTPBinRefusal) -> Number {
        guard let number = read(pathSegments.last ?? ""), range.contains(number) else {
            throw HTTPBinRefusal(reason: "no number in \(range) at the end of \(path)")
        }
        return number
    }

    /// The number in an item of the query.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - fallback: The number if there is no such item.
    ///   - range: What it may be.
    ///   - read: Reads a number.
    /// - Returns: The number.
    /// - Throws: ``HTTPBinRefusal`` if there is none in the range.
    func number<Number>(
        _ name: String,
        or fallback: Number,
        in range: ClosedRange<Number>,
        _ read: (String) -> Number?
    ) throws(HTTPBinRefusal) -> Number {
        guard let text = queryValue(name) else { return fallback }
        guard let number = read(text), range.contains(number) else {
            throw HTTPBinRefusal(reason: "\(name) is no number in \(range)")
        }
        return number
    }
}
