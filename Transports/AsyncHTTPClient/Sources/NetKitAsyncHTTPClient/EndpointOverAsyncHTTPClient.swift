public import Dispatch
public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension Endpoint {
    /// Makes an endpoint over AsyncHTTPClient.
    ///
    /// It lets as many requests through to a host as the transport has connections for it; more wait in
    /// the endpoint, by their priority. Over HTTP/2 more may be worth while:
    /// `maximumConcurrentRequestsPerHost`, up to 100.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to; http or https.
    ///   - transport: Sends the requests. May be shared by several endpoints.
    ///   - decoder: Decodes responses that name no decoder. Defaults to a plain `JSONDecoder`.
    ///   - responseQueue: Runs the callbacks of operations that name no queue.
    ///   - retryingCount: How often a call that is safe to repeat is tried again. Defaults to 1.
    ///   - headers: Sent with every request that does not say otherwise.
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
