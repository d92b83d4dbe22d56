/// The requests that receive an endpoint's credential.
package struct CredentialScope: Sendable {
    /// The endpoint's own origin.
    let home: Origin

    /// Returns whether a request to the own origin neither has nor refuses a credential.
    package func covers(_ request: EncodedRequest) -> Bool {
        request.isAuthenticated && request.headers[.authorization] == nil && request.origin == home
    }
}
