import Dispatch
import Foundation
import NetKit
import NetKitCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// What the suites of this target run over: URLSession, or libcurl if the environment says
// NETKIT_TEST_TRANSPORT=curl. A nested package has the same suites in a target of its own, with another file in the
// place of this one.

/// The transport that the suites run over.
enum TransportUnderTest {
    private static let isCurl =
        ProcessInfo.processInfo.environment["NETKIT_TEST_TRANSPORT"] == "curl"

    /// Makes one.
    static func make() -> any Transport { isCurl ? CurlTransport() : URLSessionTransport() }

    /// What it cannot do; a test of such a thing checks that the error is clear.
    static let limits: Set<TransportLimit> =
        isCurl
        ? []
        : [
            .trailers, .ipv6Literals, .fieldsWithoutBlanks, .keptConnectionsWithoutBytes,
            .holdingBack, .redirectBodies, .statusLines,
        ]
    /// How many connections more there may be than calls at a time.
    static let spareConnections = 0

    /// The transport of an endpoint, nil for its own over URLSession.
    fileprivate static func make(for session: URLSessionConfiguration) -> (any Transport)? {
        guard isCurl else { return nil }
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = session.httpMaximumConnectionsPerHost
        return CurlTransport(configuration: configuration)
    }
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
    let endpoint = Endpoint(
        baseURL: baseURL,
        transport: TransportUnderTest.make(for: sessionConfiguration),
        decoder: decoder,
        responseQueue: responseQueue,
        sessionConfiguration: sessionConfiguration,
        retryingCount: retryingCount,
        headers: headers
    )
    endpoint.timeouts.idle = .seconds(3_600)
    return endpoint
}
