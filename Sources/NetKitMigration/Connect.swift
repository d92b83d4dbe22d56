public import NetKit

/// SwiftConnect's name for a call.
@available(*, deprecated, renamed: "RequestExecutionOperation")
public typealias DataTask<Value> = RequestExecutionOperation<AnyRequest>

/// SwiftConnect's client.
@available(*, deprecated, renamed: "Endpoint")
public struct Connect: Sendable {
    /// A client that uses each request's endpoint, or the default endpoint.
    public static let `default` = Connect()

    private let endpoint: Endpoint?

    /// Creates a client.
    ///
    /// - Parameter endpoint: The endpoint. Defaults to nil, which means each request's endpoint, or the default
    ///   endpoint. A ``ConnectRequest`` needs none.
    public init(_ endpoint: Endpoint? = nil) {
        self.endpoint = endpoint
    }

    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - request: The request, including its files.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func request(
        request: any Request,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        try await execute(task: makeDataTask(request: request), debugResponse: debugResponse)
    }

    /// Sends a multipart request and waits for the response.
    ///
    /// - Parameters:
    ///   - multipartRequest: The request.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func request(
        multipartRequest: any MultipartFormDataRequest,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        try await request(request: multipartRequest, debugResponse: debugResponse)
    }

    /// Starts a call.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call, which can be canceled.
    public func makeDataTask(request: any Request) -> RequestExecutionOperation<AnyRequest> {
        let request = AnyRequest(request)
        return endpoint.map { request.execute(on: $0) } ?? request.execute()
    }

    /// Starts a call with files.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call, which can be canceled.
    public func makeUploadTask(request: any Request) -> RequestExecutionOperation<AnyRequest> {
        makeDataTask(request: request)
    }

    /// Waits for the response of a call.
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - debugResponse: Whether to print the response to standard error, without secrets, before the method returns.
    ///     Defaults to false.
    /// - Returns: The response.
    /// - Throws: An `ErrorResponse<ServerMessage>`.
    @discardableResult
    public func execute(
        task: RequestExecutionOperation<AnyRequest>,
        debugResponse: Bool = false
    ) async throws -> HTTPResponse {
        guard debugResponse else { return try await task.value }
        task.debugResponse()
        return try await withTaskCancellationHandler {
            // Unlike the value, the handlers wait for what is printed.
            try await withCheckedThrowingContinuation { continuation in
                task.onSuccess { continuation.resume(returning: $0) }
                    .onFail { continuation.resume(throwing: $0) }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels every call of the endpoint.
    ///
    /// Without an endpoint, these are the calls of the default endpoint, or of requests with their own base URL.
    public func cancelAllRequests() {
        (endpoint ?? Endpoint.default ?? .ofAddressedRequests)?.cancelAllRequests()
    }
}
