public import Foundation

// These initializers choose the decoding by the response type, as `Request` does by default.

extension DefaultMultipartFormDataRequest where Response: Decodable {
    /// Creates a multipart request with a JSON response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to POST.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    ///   - files: The files, in sending order. Defaults to none.
    public init(
        path: String,
        method: HTTPMethod = .post,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil,
        files: [any MultipartFile] = []
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
            files: files,
            responseDecoding: .automatic
        )
    }
}

extension DefaultMultipartFormDataRequest where Response == Void {
    /// Creates a multipart request that ignores the response body.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to POST.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    ///   - files: The files, in sending order. Defaults to none.
    public init(
        path: String,
        method: HTTPMethod = .post,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil,
        files: [any MultipartFile] = []
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
            files: files,
            responseDecoding: .empty
        )
    }
}
