import Foundation
import NetKit

/// Sends a test's requests through NetKit, and tells the server what to answer.
struct TestClient: Sendable {
    /// Follows redirects, and has the cache.
    private let following: Endpoint
    /// The same, and gives a redirect as the response.
    private let manual: Endpoint
    /// Speaks with the server about the tests, without a cache.
    private let control: Endpoint

    /// Makes the client of a run; its tests share one cache, as a browser's do.
    ///
    /// - Parameters:
    ///   - server: Where the suite's server is.
    ///   - cache: The cache.
    ///   - engine: What sends the requests.
    /// - Throws: An error of the disk store.
    init(server: URL, cache: CacheSetting, engine: Engine) throws {
        // A test's requests wait for nothing but the server.
        let transport = try engine.transport(connections: 64)
        let endpoint = {
            let endpoint = Endpoint(baseURL: server, transport: transport)
            // The server counts the requests: one that is sent again spoils its test.
            endpoint.retryPolicy = .never
            endpoint.timeouts = Timeouts(idle: .seconds(10), total: .seconds(10))
            return endpoint
        }
        following = endpoint()
        try cache.apply(to: following)
        manual = following.derived { $0.redirectPolicy = .doNotFollow }
        control = endpoint()
    }

    /// Tells the server what to answer.
    ///
    /// - Parameters:
    ///   - requests: The requests of the test, with its name and identifier in each.
    ///   - uuid: What the server shall know this run of the test by.
    /// - Throws: ``TestFailure``
    func configure(_ requests: [JSONValue], uuid: String) async throws(TestFailure) {
        let request = DefaultRequest<Data, String>(
            path: "/config/\(uuid)",
            method: .put,
            body: .json(.array(requests)),
            responseDecoding: .data
        )
        let response = try await Self.response(to: request, on: control)
        guard response.status == 201 else {
            throw .setup("PUT config resulted in \(response.status)")
        }
    }

    /// What the server saw of a test, in order.
    ///
    /// - Parameter uuid: What the server knows the run of the test by.
    /// - Returns: The requests; none if it saw none.
    /// - Throws: ``TestFailure``
    func serverState(uuid: String) async throws(TestFailure) -> [ServerRequest] {
        let request = DefaultRequest<Data, String>(path: "/state/\(uuid)", responseDecoding: .data)
        let response = try await Self.response(to: request, on: control)
        guard response.status == 200 else { return [] }
        do {
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(response.text.utf8))
            return try json.elements("the server's state").map(ServerRequest.init)
        } catch {
            throw .error("SyntaxError", "\(error)")
        }
    }

    /// Sends one request of a test.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - followsRedirects: Whether a redirect is followed.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TestFailure`` if there is no response.
    func send(
        _ request: StepRequest,
        followsRedirects: Bool
    ) async throws(TestFailure) -> StepResponse {
        try await Self.response(to: request, on: followsRedirects ? following : manual)
    }

    private static func response<R: Request>(
        to request: R,
        on endpoint: Endpoint
    ) async throws(TestFailure) -> StepResponse {
        do {
            return StepResponse(try await endpoint.response(for: request).http)
        } catch {
            if let response = error.response { return StepResponse(response) }
            // The names of a fetch's errors, which tell a timeout from all others.
            throw .error(error.isTimeout ? "AbortError" : "TypeError", error.message)
        }
    }
}
