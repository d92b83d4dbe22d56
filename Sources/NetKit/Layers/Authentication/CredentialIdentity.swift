/// Tells the users of an endpoint apart, without showing their credentials.
enum CredentialIdentity: Hashable, Sendable {
    /// Tells apart by itself.
    case id(ProcessUniqueID)
    /// A secret that tells apart: to be shown nowhere but in a digest.
    case secret(String)
}

/// An authentication that knows whose credential it has.
///
/// Of all others, each that an endpoint is given has an identity of its own.
protocol IdentifiedAuthentication: Authentication {
    /// The same for the same user, however often a token is refreshed.
    var identity: CredentialIdentity { get }
}
