import NetKitSupport

/// Adds the endpoint's credential, and resends requests when ``Authentication`` has a better one.
struct AuthenticationLayer: Layer {
    /// The maximum number of resends with a newer credential.
    private static let maximumRecoveries = 2

    let authentication: any Authentication
    let scope: CredentialScope
    /// The endpoint that a refresh may use.
    let endpoint: Endpoint
    /// The header fields of the endpoint for the call.
    let fields: HTTPHeaders
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        guard scope.covers(request) else {
            let result = await next.send(request, in: call)
            if result.response?.status == .unauthorized, hides(request) {
                call.reporter?.report(.authenticationHidden)
            }
            return result
        }
        var recoveries = 0
        while true {
            let authenticated: EncodedRequest
            switch await authenticate(request, in: call) {
            case .success(let request): authenticated = request
            case .failure(let failure):
                return AttemptResult(request, failure: failure, isFinal: true)
            }
            var result = await next.send(authenticated, in: call)
            let isLast = recoveries == Self.maximumRecoveries
            // A success behind a recovery may name what later calls need, such as the next nonce of Digest.
            guard let response = result.response, !isLast || response.status.isSuccessful else {
                return result
            }
            switch await recover(from: response, to: result.request, in: call) {
            case .success where isLast, .success(.none): return result
            case .success(let recovery):
                // A live body can't be resent. Later calls use the new credential.
                if authenticated.body?.sequence != nil { return result }
                call.reporter?.report(.refreshed(recovery))
                recoveries = recovery == .refreshed ? Self.maximumRecoveries : recoveries + 1
            case .failure(let failure):
                result.change {
                    let failure = failure.of($0.request)
                    ($0.outcome, $0.isFinal, $0.unrecovered) = (.failure(failure), true, response)
                }
                return result
            }
        }
    }

    /// Whether the endpoint's own header fields keep its authentication from a request.
    private func hides(_ request: EncodedRequest) -> Bool {
        guard let own = fields[.authorization] else { return false }
        return request.isAuthenticated && request.headers[.authorization] == own
    }

    private func authenticate(
        _ request: EncodedRequest,
        in call: CallContext
    ) async -> Result<EncodedRequest, CallFailure> {
        await ask(in: call) {
            var authenticated = request
            try await authentication.authenticate(&authenticated)
            try HeaderRules.check(&authenticated.headers)
            return authenticated
        }
    }

    private func recover(
        from response: HTTPResponse,
        to request: EncodedRequest,
        in call: CallContext
    ) async -> Result<AuthenticationRecovery, CallFailure> {
        await ask(in: call) { try await authentication.recover(from: response, to: request) }
    }

    /// Asks the authentication, and passes the endpoint to a refresh, even through an authentication that wraps another one.
    private func ask<Value: Sendable>(
        in call: CallContext,
        _ question: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        await BearerAuthentication.$asking.withValue(endpoint) { await call.control.run(question) }
    }
}

/// The requests that receive an endpoint's credential.
package struct CredentialScope: Sendable {
    /// The endpoint's own origin.
    let home: Origin

    /// Returns whether a request to the own origin neither has nor refuses a credential.
    package func covers(_ request: EncodedRequest) -> Bool {
        request.isAuthenticated && request.headers[.authorization] == nil && request.origin == home
    }
}
