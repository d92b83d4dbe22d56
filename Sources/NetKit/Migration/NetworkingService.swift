// The spellings of NetworkingService.

/// The same under the name of NetworkingService.
@available(*, deprecated, renamed: "HTTPMethod")
public typealias HTTPMethodType = HTTPMethod

extension Endpoint {
    /// Sends `request` and waits for its value.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
    @available(*, deprecated, renamed: "value(for:)")
    public func request<R: Request>(
        with request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await value(for: request)
    }

    /// Sends several requests and waits for all of them.
    ///
    /// - Parameter requests: What to ask.
    /// - Returns: What became of each, in the order of the requests.
    @available(*, deprecated, renamed: "values(for:)")
    public func request<R: Request>(
        with requests: [R]
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        await values(for: requests)
    }
}

extension ErrorResponse {
    /// Whether the server said 404.
    @available(*, deprecated, message: "use statusCode == 404")
    public var isNotFoundError: Bool { statusCode == 404 }
}
