/// What happens to an address that a response gave and that is at another origin than the request was.
///
/// An origin is scheme, host and port (RFC 6454, section 4). Whatever is chosen, http is never followed
/// from https.
public enum OtherOrigins: Hashable, Sendable {
    /// The call ends with an error that names the address.
    case refuse
    /// The address is asked without credentials.
    ///
    /// `Authorization`, `Cookie`, and whatever is marked sensitive or has a name that speaks of a secret, stay behind
    /// as with a redirect, and so do the headers, the
    /// query and the user name of the endpoint. Interceptors, authentication and retriers are not asked; observers
    /// hear of it. Nothing of this comes back, even if a later address is at the request's own origin.
    case followWithoutCredentials
}
