/// The requests that get an endpoint's credential.
struct CredentialScope: Sendable {
    /// The endpoint's own origin.
    let home: Origin

    /// Whether a request goes to the endpoint's own origin, and neither has a credential nor refuses one.
    func covers(_ request: EncodedRequest) -> Bool {
        request.isAuthenticated && request.headers[.authorization] == nil && request.origin == home
    }
}
