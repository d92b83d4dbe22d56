#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Adds header fields to requests that do not have them.
///
/// Unlike ``Endpoint/headers`` they can depend on the moment. They are for the endpoint's own origin: but for
/// `User-Agent`, they neither follow a redirect to another one nor go along with a request to a URL there. A field that is
/// marked sensitive is not shown.
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

    /// The request with the fields that it does not have, and with their marks, which a `URLRequest` does not keep.
    func added(to request: EncodedRequest, isHome: Bool) async throws -> EncodedRequest {
        var headers = request.headers
        for field in try await fields().fields where headers[field.name] == nil {
            // The transport says itself how long the body is.
            guard field.name != .contentLength, field.name != .transferEncoding else { continue }
            if field.name == .userAgent {
                headers.set(field.name, to: field.value, isSensitive: field.isSensitive)
            } else if isHome {
                headers.setAtHome(field.name, to: field.value, isSensitive: field.isSensitive)
            }
        }
        try HeaderRules.check(&headers)
        var added = request
        added.headers = headers
        return added
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
