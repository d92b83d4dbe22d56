#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Adds header fields to requests that do not have them.
///
/// Unlike ``Endpoint/headers`` they can depend on the moment, and go along to every address that the endpoint sends
/// to: let there be no secrets among them.
///
/// ```swift
/// endpoint.interceptors = [.userAgent("Weather/2.1")]
/// ```
public struct DefaultFields: Interceptor {
    private let fields: @Sendable () async throws -> HTTPHeaders

    /// Adds fields that are asked for in each attempt.
    ///
    /// - Parameter fields: Gives the fields. What it throws ends the call.
    public init(_ fields: @escaping @Sendable () async throws -> HTTPHeaders) {
        self.fields = fields
    }

    public func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        for (name, value) in try await fields()
        where request.value(forHTTPHeaderField: name.rawName) == nil {
            request.setValue(value, forHTTPHeaderField: name.rawName)
        }
        return try await next(request)
    }
}

extension Interceptor where Self == DefaultFields {
    /// Adds a `User-Agent` (RFC 9110, section 10.1.5) to requests that have none.
    ///
    /// - Parameter product: The program and its version, such as `Weather/2.1`.
    /// - Returns: The interceptor.
    public static func userAgent(_ product: String) -> DefaultFields {
        DefaultFields { [.userAgent: product] }
    }
}
