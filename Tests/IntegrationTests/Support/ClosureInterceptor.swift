import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An interceptor of one closure.
struct ClosureInterceptor: Interceptor {
    typealias Next = @concurrent @Sendable (URLRequest) async throws -> HTTPResponse

    let closure: @Sendable (URLRequest, Next) async throws -> HTTPResponse

    let scope: InterceptorScope

    init(
        scope: InterceptorScope = .attempt,
        _ closure: @escaping @Sendable (URLRequest, Next) async throws -> HTTPResponse
    ) {
        self.scope = scope
        self.closure = closure
    }

    func intercept(_ request: URLRequest, next: Next) async throws -> HTTPResponse {
        try await closure(request, next)
    }
}
