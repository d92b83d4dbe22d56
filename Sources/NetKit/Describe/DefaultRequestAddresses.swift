public import Foundation

// Requests of a whole address rather than a path. Its own query is kept, and an endpoint's credentials go along
// only if it is on that endpoint's origin.

extension DefaultRequest where Response: Decodable {
    /// Makes a request of a whole address; it needs no endpoint.
    ///
    /// - Parameters:
    ///   - url: The http or https address, with its query. A fragment is left out.
    ///   - method: As ``Request/method``. Defaults to GET.
    ///   - body: As ``Request/body``. Defaults to none.
    ///   - headers: As ``Request/headers``. Defaults to none.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

extension DefaultRequest where Response == Data {
    /// Makes a request of a whole address; it needs no endpoint.
    ///
    /// - Parameters:
    ///   - url: The http or https address, with its query. A fragment is left out.
    ///   - method: As ``Request/method``. Defaults to GET.
    ///   - body: As ``Request/body``. Defaults to none.
    ///   - headers: As ``Request/headers``. Defaults to none.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

extension DefaultRequest where Response == String {
    /// Makes a request of a whole address; it needs no endpoint.
    ///
    /// - Parameters:
    ///   - url: The http or https address, with its query. A fragment is left out.
    ///   - method: As ``Request/method``. Defaults to GET.
    ///   - body: As ``Request/body``. Defaults to none.
    ///   - headers: As ``Request/headers``. Defaults to none.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

extension DefaultRequest where Response == Void {
    /// Makes a request of a whole address; it needs no endpoint.
    ///
    /// - Parameters:
    ///   - url: The http or https address, with its query. A fragment is left out.
    ///   - method: As ``Request/method``. Defaults to GET.
    ///   - body: As ``Request/body``. Defaults to none.
    ///   - headers: As ``Request/headers``. Defaults to none.
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}
