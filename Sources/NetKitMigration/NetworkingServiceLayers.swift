public import Dispatch
public import NetKit

// The layers of NetworkingService, which are all one endpoint.

/// NetworkingService's protocol for what sends requests and decodes their responses.
@available(*, deprecated, renamed: "Endpoint")
public protocol NetworkDataTransferService: Sendable {
    /// The endpoint that sends the requests.
    var endpoint: Endpoint { get }
}

@available(*, deprecated)
extension Endpoint: NetworkDataTransferService {
    /// The endpoint itself.
    public var endpoint: Endpoint { self }
}

@available(*, deprecated)
extension NetworkDataTransferService {
    /// Sends a request in a new task.
    ///
    /// - Parameter request: The request.
    /// - Returns: The task. Canceling it cancels the call.
    @available(*, deprecated, message: "use Endpoint.value(for:) in a Task")
    public func request<R: Request>(with request: R) async -> Task<R.ResponseObjectType, any Error>
    {
        Task { [endpoint] in try await endpoint.value(for: request) }
    }

    /// Sends a request and calls a closure with the result, once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - queue: The queue that runs the closure. Defaults to nil, the endpoint's queue.
    ///   - completion: A closure that receives the value or the error.
    /// - Returns: The call, which can be canceled.
    @available(*, deprecated, message: "use Endpoint.execute(_:) with onSuccess and onFail")
    @discardableResult
    public func request<R: Request>(
        with request: R,
        on queue: DispatchQueue? = nil,
        completion:
            @escaping @Sendable (Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>) -> Void
    ) -> RequestExecutionOperation<R> {
        let operation = endpoint.execute(request)
        if let queue { operation.response(on: queue) }
        return operation.onSuccess { completion(.success($0)) }.onFail { completion(.failure($0)) }
    }

    /// Sends several requests and waits for all of them.
    ///
    /// - Parameter requests: The requests.
    /// - Returns: The results, in the order of the requests.
    @available(*, deprecated, message: "use Endpoint.values(for:)")
    public func request<R: Request>(
        with requests: [R]
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        await endpoint.values(for: requests)
    }
}

/// NetworkingService's choice of a session manager.
@available(*, deprecated, message: "omit it: an Endpoint has its own session")
public enum NetworkSessionManagerType: Sendable {
    /// The session of the configuration.
    case defaultType
}

/// NetworkingService's choice of a logger.
@available(*, deprecated, message: "set Endpoint.logger")
public enum NetworkLoggerType: Sendable {
    /// The logger of the configuration, which by default logs nothing.
    case defaultType
}

/// NetworkingService's name for what sends requests.
@available(*, deprecated, message: "use the configuration, which is an Endpoint")
public struct DefaultNetworkService: NetworkDataTransferService {
    public let endpoint: Endpoint

    /// Creates a service that sends requests to the address of a configuration.
    ///
    /// - Parameters:
    ///   - networkConfig: The configuration. The service uses its later changes, too.
    ///   - sessionManagerType: The session. Defaults to that of the configuration.
    ///   - loggerType: The logger. Defaults to that of the configuration.
    public init(
        networkConfig: Endpoint,
        sessionManagerType: NetworkSessionManagerType = .defaultType,
        loggerType: NetworkLoggerType = .defaultType
    ) {
        endpoint = networkConfig
    }
}

/// NetworkingService's logger of failed calls.
@available(*, deprecated, message: "set Endpoint.logger to a ConsoleLogger(level: .error)")
public struct DefaultNetworkDataTransferErrorLogger: Sendable {
    /// Creates a logger.
    public init() {}
}

/// NetworkingService's name for what sends requests and decodes their responses.
@available(*, deprecated, message: "use the configuration, which is an Endpoint")
public struct DefaultNetworkDataTransferService: NetworkDataTransferService {
    public let endpoint: Endpoint

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - networkService: What sends the requests.
    ///   - logger: Writes each failed call to standard error, in one line, unless the configuration has a logger that does
    ///     more. The service then uses the settings that the configuration has now. Defaults to nil.
    public init(
        networkService: DefaultNetworkService,
        logger: DefaultNetworkDataTransferErrorLogger? = nil
    ) {
        endpoint =
            logger == nil
            ? networkService.endpoint
            : networkService.endpoint.derived { endpoint in
                if endpoint.logger is SilentLogger {
                    endpoint.logger = ConsoleLogger(level: .error)
                }
            }
    }
}
