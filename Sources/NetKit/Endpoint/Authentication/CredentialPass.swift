/// Asks an endpoint's ``Authentication`` about the requests of one call.
struct CredentialPass: Sendable {
    let endpoint: Endpoint
    let control: CallControl
    private let authentication: (any Authentication)?

    init(endpoint: Endpoint, control: CallControl) {
        self.endpoint = endpoint
        self.control = control
        authentication = endpoint.settings.values.authentication
    }

    /// Whether a request is to be authenticated: it goes to the endpoint's own origin, and neither has a credential
    /// nor refuses one.
    func isNeeded(for request: EncodedRequest) -> Bool {
        guard authentication != nil, request.isAuthenticated,
            request.headers[.authorization] == nil,
            case .success(let base) = endpoint.settings.values.encoding.base
        else { return false }
        return request.origin == base.origin
    }

    /// Adds the credential.
    ///
    /// - Returns: Why there is none.
    func authenticate(_ request: inout EncodedRequest) async -> CallFailure? {
        guard let authentication else { return nil }
        let described = request
        let result = await asking {
            await UserCode.run(control) {
                var authenticated = described
                try await authentication.authenticate(&authenticated)
                try authenticated.checkHeaders()
                return authenticated
            }
        }
        switch result {
        case .success(let authenticated):
            request = authenticated
            return nil
        case .failure(let failure): return failure
        }
    }

    /// Finds out whether to send the request again.
    func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async -> Result<AuthenticationRecovery, CallFailure> {
        guard let authentication else { return .success(.none) }
        return await asking {
            await UserCode.run(control) {
                try await authentication.recover(from: response, to: request)
            }
        }
    }

    /// Lets a refresh know which endpoint asked for it, also through an authentication that wraps another one.
    private func asking<Value>(_ body: () async -> Value) async -> Value {
        await BearerAuthentication.$asking.withValue(endpoint, operation: body)
    }
}

extension EncodedRequest {
    fileprivate mutating func checkHeaders() throws(InvalidRequest) {
        var checked = headers
        try HeaderRules.check(&checked)
        headers = checked
    }
}
