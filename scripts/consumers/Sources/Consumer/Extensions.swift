import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A user's conformances to NetKit's protocols. They must compile unchanged, in a package without NetKit's build
// settings.

struct Stamping: Interceptor {
    func intercept(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        request.setValue("yes", forHTTPHeaderField: "X-Stamp")
        return try await next(request)
    }
}

final class Again: RequestRetrier {
    func canHandleError<R: Request>(_ error: ErrorResponse<R.ErrorType>, for request: R) -> Bool {
        error.statusCode == 418
    }

    func handleError<R: Request>(
        _ error: ErrorResponse<R.ErrorType>,
        for request: R,
        on endpoint: Endpoint
    ) async -> R? {
        request
    }
}

struct Unsigned: Authentication {}

struct Signed: Authentication {
    func authenticate(_ request: inout EncodedRequest) async throws {
        request.headers["X-Signature"] = "\(request.body?.length ?? 0)"
    }

    func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery {
        .none
    }
}

actor TokenStore {
    private var count = 0

    func refresh(_ stale: String?) async throws -> String {
        count += 1
        return "fresh \(count)"
    }
}

@MainActor
func extend(_ endpoint: Endpoint, _ store: TokenStore) -> ObservationManager.Token {
    endpoint.interceptors = [Stamping()]
    endpoint.authentication = Unsigned()
    endpoint.authentication = BearerAuthentication(token: "stale") { stale in
        try await store.refresh(stale)
    }
    endpoint.authentication = BearerAuthentication(token: "stale") { _, endpoint in
        try await endpoint.value(for: DefaultRequest<String, ServerMessage>(path: "token"))
    }
    endpoint.requestRetrying.registerRetrier(Again())
    endpoint.observation.register(for: [404]) { response in print(response.statusCode) }
    return endpoint.observation.register(for: ListRequest.self) { request, result in
        if case .failure(let error) = result { print(request.path, error.message) }
    }
}
