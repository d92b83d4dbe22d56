public import Foundation

// The decoding that the type of the response suggests, as for any request.

extension DefaultRequest where Response: Decodable {
    /// Makes a request whose response is JSON.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - method: As ``Request/method``.
    ///   - queryParams: As ``Request/queryParams``.
    ///   - body: As ``Request/body``.
    ///   - headers: As ``Request/headers``.
    ///   - timeout: As ``Request/timeout``, in seconds.
    ///   - responseConverter: As ``Request/responseConverter``.
    ///   - errorConverter: As ``Request/errorConverter``.
    ///   - endpoint: As ``Request/endpoint``.
    ///   - decoder: As ``Request/decoder``.
    ///   - authToken: As ``Request/authToken``.
    public init(
        path: String,
        method: HTTPMethod = .get,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            responseDecoding: .automatic
        )
    }
}

extension DefaultRequest where Response == Data {
    /// Makes a request whose response is taken as its bytes.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - method: As ``Request/method``.
    ///   - queryParams: As ``Request/queryParams``.
    ///   - body: As ``Request/body``.
    ///   - headers: As ``Request/headers``.
    ///   - timeout: As ``Request/timeout``, in seconds.
    ///   - responseConverter: As ``Request/responseConverter``.
    ///   - errorConverter: As ``Request/errorConverter``.
    ///   - endpoint: As ``Request/endpoint``.
    ///   - decoder: As ``Request/decoder``.
    ///   - authToken: As ``Request/authToken``.
    public init(
        path: String,
        method: HTTPMethod = .get,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            responseDecoding: .data
        )
    }
}

extension DefaultRequest where Response == String {
    /// Makes a request whose response is taken as text.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - method: As ``Request/method``.
    ///   - queryParams: As ``Request/queryParams``.
    ///   - body: As ``Request/body``.
    ///   - headers: As ``Request/headers``.
    ///   - timeout: As ``Request/timeout``, in seconds.
    ///   - responseConverter: As ``Request/responseConverter``.
    ///   - errorConverter: As ``Request/errorConverter``.
    ///   - endpoint: As ``Request/endpoint``.
    ///   - decoder: As ``Request/decoder``.
    ///   - authToken: As ``Request/authToken``.
    public init(
        path: String,
        method: HTTPMethod = .get,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            responseDecoding: .text
        )
    }
}

extension DefaultRequest where Response == Void {
    /// Makes a request whose response is of no interest.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - method: As ``Request/method``.
    ///   - queryParams: As ``Request/queryParams``.
    ///   - body: As ``Request/body``.
    ///   - headers: As ``Request/headers``.
    ///   - timeout: As ``Request/timeout``, in seconds.
    ///   - responseConverter: As ``Request/responseConverter``.
    ///   - errorConverter: As ``Request/errorConverter``.
    ///   - endpoint: As ``Request/endpoint``.
    ///   - decoder: As ``Request/decoder``.
    ///   - authToken: As ``Request/authToken``.
    public init(
        path: String,
        method: HTTPMethod = .get,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            responseDecoding: .empty
        )
    }
}
