import NetKit

/// Takes a refused call in hand: sends it again with another token.
struct TokenRetry: Interceptor {
    let scope = InterceptorScope.call
    private let token: String?

    init(_ token: String?) {
        self.token = token
    }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let response = try await next(request)
        guard response.status == .unauthorized, let token else { return response }
        var again = request
        again.headers.authToken = .bearer(token)
        return try await next(again)
    }
}
