public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension Endpoint {
    /// Creates an endpoint at a base URL that is a text.
    ///
    /// ```swift
    /// let endpoint = try Endpoint("https://api.example.com/v2")
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The base URL that paths are joined to: `https://` or `http://`, a host, perhaps a port from 1 to
    ///     65535, a path and a query, which is kept. A fragment is left out.
    ///   - transport: Sends the requests. By default a ``URLSessionTransport`` of the endpoint's own.
    ///   - decoder: Decodes responses that name no decoder. Defaults to a plain `JSONDecoder`.
    ///   - responseQueue: Runs the callbacks of operations that name no queue.
    ///   - sessionConfiguration: As in
    ///     ``init(baseURL:transport:decoder:responseQueue:sessionConfiguration:retryingCount:headers:)``.
    ///   - retryingCount: How often a call that is safe to repeat is retried. Defaults to that of
    ///     ``RetryPolicy/standard``.
    ///   - headers: Sent with every request that does not say otherwise.
    /// - Throws: ``InvalidRequest`` of the reason ``InvalidRequest/Reason/invalidURL(_:)``, whose text says what is wrong
    ///   with the URL and shows no secrets.
    public convenience init(
        _ baseURL: String,
        transport: (any Transport)? = nil,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) throws(InvalidRequest) {
        self.init(
            baseURL: try BaseURL.url(baseURL),
            transport: transport,
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers
        )
    }
}
