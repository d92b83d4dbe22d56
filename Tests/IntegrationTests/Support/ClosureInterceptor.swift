import NetKit

/// An interceptor of one closure.
struct ClosureInterceptor: Interceptor {
    let closure: @Sendable (EncodedRequest, Next) async throws -> HTTPResponse

    let scope: InterceptorScope

    init(
        scope: InterceptorScope = .attempt,
        _ closure: @escaping @Sendable (EncodedRequest, Next) async throws -> HTTPResponse
    ) {
        self.scope = scope
        self.closure = closure
    }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        try await closure(request, next)
    }
}
