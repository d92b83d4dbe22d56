import Foundation
import NetKit

// A user's conformances to NetKit's protocols. They must compile unchanged, in a package without NetKit's build
// settings.

struct Stamping: Interceptor {
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers["X-Stamp"] = "yes"
        return try await next(request)
    }
}

struct Again: Interceptor {
    var scope: InterceptorScope { .call }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let response = try await next(request)
        guard response.status == 418 else { return response }
        var other = request
        other.headers["X-Again"] = "yes"
        return try await next(other)
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
    endpoint.interceptors = [Stamping(), Again()]
    endpoint.authentication = Unsigned()
    endpoint.authentication = BearerAuthentication(token: "stale") { stale in
        try await store.refresh(stale)
    }
    endpoint.authentication = BearerAuthentication(token: "stale") { _, endpoint in
        try await endpoint.value(for: DefaultRequest<String, ServerMessage>(path: "token"))
    }
    endpoint.observation.register(for: [404]) { response in print(response.statusCode) }
    return endpoint.observation.register(for: ListRequest.self) { request, result in
        if case .failure(let error) = result { print(request.path, error.message) }
    }
}
