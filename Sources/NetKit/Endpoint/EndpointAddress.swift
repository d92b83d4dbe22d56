public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension Endpoint {
    /// Creates an endpoint from the text of its base URL.
    ///
    /// ```swift
    /// let endpoint = try Endpoint("https://api.example.com/v2")
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The http or https URL that request paths are appended to. It needs a host, and a port from 1 to
    ///     65535 if it has one. Its query is kept, and its fragment is removed.
    ///   - transport: The transport that sends the requests. Defaults to nil, which means a new
    ///     ``URLSessionTransport``.
    ///   - decoder: The decoder for requests that don't specify one. Defaults to nil, which means a new
    ///     `JSONDecoder`.
    ///   - responseQueue: The queue for callbacks of operations that don't specify one. Defaults to nil.
    ///   - sessionConfiguration: The configuration of the session, as in
    ///     ``init(baseURL:transport:decoder:responseQueue:sessionConfiguration:retryingCount:headers:)``.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to the value of
    ///     ``RetryPolicy/standard``.
    ///   - headers: The header fields of every request that doesn't set them itself. Defaults to none.
    /// - Throws: ``InvalidRequest`` with the reason ``InvalidRequest/Reason/invalidURL(_:)``. Its text says what is
    ///   wrong with the URL, without secrets.
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
