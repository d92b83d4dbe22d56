import Dispatch
import Foundation
import NetKit
import NetKitAsyncHTTPClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What the suites of this target run over: AsyncHTTPClient. All but this file are those of the root
// package, where they run over URLSession.

/// The transport that the suites run over.
enum TransportUnderTest {
    /// Makes one.
    static func make() -> any Transport { AsyncHTTPClientTransport() }

    /// What it cannot do; a test of such a thing checks that the error is clear.
    static let limits: Set<TransportLimit> = []
    /// How many connections more there may be than calls at a time.
    ///
    /// The response to an upload may be there before its connection is counted as free.
    static let spareConnections = 2
}

/// Makes an endpoint over the transport under test.
///
/// Its calls may be silent for as long as a slow machine makes them.
func testEndpoint(
    baseURL: URL,
    decoder: JSONDecoder? = nil,
    responseQueue: DispatchQueue? = nil,
    sessionConfiguration: URLSessionConfiguration = .default,
    retryingCount: Int = 1,
    headers: HTTPHeaders = [:]
) -> Endpoint {
    var configuration = AsyncHTTPClientTransport.Configuration()
    configuration.maximumConnectionsPerHost = sessionConfiguration.httpMaximumConnectionsPerHost
    let endpoint = Endpoint(
        baseURL: baseURL,
        transport: AsyncHTTPClientTransport(configuration: configuration) as any Transport,
        decoder: decoder,
        responseQueue: responseQueue,
        sessionConfiguration: sessionConfiguration,
        retryingCount: retryingCount,
        headers: headers
    )
    endpoint.timeouts.idle = .seconds(3_600)
    return endpoint
}
