import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    /// URLSession's own timeout, chosen never to expire before NetKit's.
    ///
    /// On Linux, URLSession creates a timer for every header line and every piece of a body. Dispatch treats more
    /// nanoseconds than 63 bits can hold as "never" and skips the wakeup, which saves a fifth of a small call's time.
    #if canImport(FoundationNetworking)
    private static let distantTimeout: TimeInterval = 10_000_000_000
    #else
    private static let distantTimeout: TimeInterval = 86_400
    #endif

    /// Returns the request in the form that URLSession needs.
    ///
    /// On Linux, every body is a stream with an explicit `Content-Length`. A stream needs at most one copy in memory,
    /// is several times faster than an upload from a file, and can't be resent by URLSession. URLSession would send the
    /// stream chunked, but a `Transfer-Encoding` of one space prevents it: libcurl treats it as "not chunked" and
    /// doesn't send it.
    func wireRequest(for exchange: URLSessionExchange) -> URLRequest {
        var request = exchange.request.urlRequest(with: Self.fields(of: exchange.request))
        #if !canImport(FoundationNetworking)
        // On Linux, the session's timeout applies to requests without their own.
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

    /// Returns the header fields for URLSession.
    ///
    /// On Linux, URLSession adds a `User-Agent` and an `Accept-Language` of its own to requests without them. A blank
    /// value prevents that: libcurl sends neither its own field nor the blank one.
    private static func fields(of request: EncodedRequest) -> [String: String] {
        let headers = request.headers
        var fields = headers.dictionary
        #if canImport(FoundationNetworking)
        if headers[.acceptLanguage] == nil { fields["Accept-Language"] = " " }
        if headers[.userAgent] == nil { fields["User-Agent"] = " " }
        #endif
        return fields
    }

    /// Copies a configuration without the features that are unsafe on Linux or that NetKit replaces.
    static func safeConfiguration(
        _ configuration: URLSessionConfiguration
    ) -> URLSessionConfiguration {
        let safe = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        // On Linux, a cache never stores anything and crashes when a task is canceled early.
        safe.urlCache = nil
        safe.requestCachePolicy = .reloadIgnoringLocalCacheData
        safe.httpCookieStorage = nil
        safe.httpCookieAcceptPolicy = .never
        safe.httpShouldSetCookies = false
        safe.urlCredentialStorage = nil
        // Values other than strings crash the process. The endpoint merges these fields itself.
        safe.httpAdditionalHeaders = nil
        safe.timeoutIntervalForRequest = distantTimeout
        safe.timeoutIntervalForResource = 7 * distantTimeout
        return safe
    }
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        // URLSession has already joined repeated fields, and copies all fields on access. It leaves white space behind
        // values, which is no part of them (RFC 9112, section 5.1).
        let fields = JoinedFields(
            find: { response.value(forHTTPHeaderField: $0)?.trimmedOfBlanks },
            list: {
                response.allHeaderFields.compactMap { name, value in
                    guard let name = name.base as? String, let value = value as? String else {
                        return nil
                    }
                    return (name, value.trimmedOfBlanks)
                }
            }
        )
        self.init(status: HTTPStatus(rawValue: response.statusCode), headers: HTTPHeaders(fields))
    }
}
