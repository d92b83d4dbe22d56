/// An interceptor that adds header fields to requests that don't have them.
///
/// Unlike ``Endpoint/headers``, the fields are computed for each attempt. They are only for the endpoint's own origin.
/// Except for `User-Agent`, they aren't sent to URLs at other origins, including after redirects. Fields marked as
/// sensitive are redacted.
///
/// ```swift
/// endpoint.interceptors = [.userAgent("Weather/2.1")]
/// ```
public struct DefaultFields: Interceptor {
    private let fields: @Sendable () async throws -> HTTPHeaders

    /// Creates an interceptor with fields that are computed for each attempt.
    ///
    /// - Parameter fields: A closure that returns the fields. An error that it throws ends the call.
    public init(_ fields: @escaping @Sendable () async throws -> HTTPHeaders) {
        self.fields = fields
    }

    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let home = RequestContext.current.home
        let isHome = home != nil && request.origin == home
        var headers = request.headers
        var names: Set<HTTPHeaderName> = []
        for field in try await fields().fields
        where Self.isMissing(field.name, in: request.headers) {
            guard isHome || field.name == .userAgent else { continue }
            if !names.insert(field.name).inserted {
                // With the marks of the first.
                headers.append(field.value, for: field.name)
            } else if field.name == .userAgent {
                headers.set(field.name, to: field.value, isSensitive: field.isSensitive)
            } else {
                headers.setAtHome(field.name, to: field.value, isSensitive: field.isSensitive)
            }
        }
        var request = request
        if headers != request.headers { request.headers = headers }
        return try await next(request)
    }

    /// Whether a request lacks a field.
    ///
    /// NetKit's own `User-Agent` doesn't count.
    private static func isMissing(_ name: HTTPHeaderName, in headers: HTTPHeaders) -> Bool {
        name == .userAgent ? UserAgent.isStandard(in: headers) : headers[name] == nil
    }
}

extension Interceptor where Self == DefaultFields {
    /// Creates an interceptor that adds `User-Agent` (RFC 9110, section 10.1.5), unless the request or the endpoint sets
    /// one.
    ///
    /// - Parameter product: The program and its version, such as `Weather/2.1`.
    /// - Returns: The interceptor.
    public static func userAgent(_ product: String) -> DefaultFields {
        DefaultFields { [.userAgent: product] }
    }
}
