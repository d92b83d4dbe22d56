/// Distinguishes the users of an endpoint without revealing their credentials.
package enum CredentialIdentity: Hashable, Sendable {
    /// A unique number.
    case id(ProcessUniqueID)
    /// A secret, which must only be used in a digest.
    case secret(String)
}

/// An authentication that identifies the user of its credential.
///
/// Any other authentication gets a new identity when it is set on an endpoint.
package protocol IdentifiedAuthentication: Authentication {
    /// The identity, which stays the same for a user across refreshes.
    var identity: CredentialIdentity { get }
}
