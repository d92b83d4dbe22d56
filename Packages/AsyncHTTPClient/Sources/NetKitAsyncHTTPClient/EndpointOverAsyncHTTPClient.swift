public import Dispatch
public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension Endpoint {
    /// Creates an endpoint that sends requests through AsyncHTTPClient.
    ///
    /// The endpoint limits the requests in flight to a host to the transport's connections per host. It queues the
    /// others by priority. For hosts that speak HTTP/2, raise `maximumConcurrentRequestsPerHost` to as much as 100.
    ///
    /// - Parameters:
    ///   - baseURL: The http or https URL that request paths are appended to.
    ///   - transport: The transport that sends the requests. Several endpoints can share it.
    ///   - decoder: The decoder for requests that don't specify one. Defaults to nil, which means a plain
    ///     `JSONDecoder`.
    ///   - responseQueue: The queue for callbacks of operations that don't specify one. Defaults to nil.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to 1.
    ///   - headers: The header fields of every request that doesn't set them itself. Defaults to none.
    public convenience init(
        baseURL: URL,
        transport: AsyncHTTPClientTransport,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        retryingCount: Int = 1,
        headers: HTTPHeaders = [:]
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost =
            transport.configuration.maximumConnectionsPerHost
        self.init(
            baseURL: baseURL,
            transport: transport as any Transport,
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: configuration,
            retryingCount: retryingCount,
            headers: headers
        )
    }
}
