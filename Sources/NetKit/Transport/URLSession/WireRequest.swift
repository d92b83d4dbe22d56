import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    /// URLSession's own timeout, which is never to fire before NetKit's.
    ///
    /// On Linux URLSession makes a new timer for every line of a head and every piece of a body. More
    /// nanoseconds than 63 bits can count are "never" to Dispatch, which then wakes nobody for it: a
    /// fifth of a small call's time.
    #if canImport(FoundationNetworking)
    private static let distantTimeout: TimeInterval = 10_000_000_000
    #else
    private static let distantTimeout: TimeInterval = 86_400
    #endif

    /// The request as URLSession has to be given it.
    ///
    /// On Linux every body is a stream with a `Content-Length` of our own: one copy in memory at
    /// most, several times the speed of an upload from a file, and nothing that URLSession could
    /// send twice. It would send the stream chunked all the same, but for a `Transfer-Encoding` of
    /// one space, which libcurl takes for "not chunked" and does not send.
    func wireRequest(for exchange: URLSessionExchange) -> URLRequest {
        var request = exchange.request.urlRequest
        #if !canImport(FoundationNetworking)
        // On Linux the session's timeout counts for a request that was not given one.
        request.timeoutInterval = Self.distantTimeout
        #endif
        guard let body = exchange.request.body, let failure = exchange.bodyFailure else {
            return request
        }
        #if canImport(FoundationNetworking)
        request.httpBody = nil
        request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        request.httpBodyStream = BodyInputStream(body, failure: failure) {
            [weak exchange] count in
            exchange?.sent(count)
        }
        #else
        if body.data == nil {
            request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = BoundBodyStream.stream(
                of: body,
                failure: failure
            ) { [weak exchange, queue = session.delegateQueue] count in
                queue.addOperation { exchange?.sent(count) }
            }
        }
        #endif
        return request
    }

    /// A copy of `configuration` without what is unsafe on Linux or the endpoint's own business.
    static func safeConfiguration(
        _ configuration: URLSessionConfiguration
    ) -> URLSessionConfiguration {
        let safe = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        // A cache ends the process when a task is cancelled early, and never caches on Linux.
        safe.urlCache = nil
        safe.requestCachePolicy = .reloadIgnoringLocalCacheData
        safe.httpCookieStorage = nil
        safe.httpCookieAcceptPolicy = .never
        safe.httpShouldSetCookies = false
        safe.urlCredentialStorage = nil
        // Values that are not strings end the process; the endpoint merges these fields itself.
        safe.httpAdditionalHeaders = nil
        safe.timeoutIntervalForRequest = distantTimeout
        safe.timeoutIntervalForResource = 7 * distantTimeout
        return safe
    }
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        // URLSession has joined the fields of one name already, and copies them all when asked.
        let fields = DeferredFields(
            find: { response.value(forHTTPHeaderField: $0) },
            list: {
                response.allHeaderFields.compactMap { name, value in
                    guard let name = name.base as? String, let value = value as? String else {
                        return nil
                    }
                    return (name, value)
                }
            }
        )
        self.init(status: HTTPStatus(rawValue: response.statusCode), headers: HTTPHeaders(fields))
    }
}
