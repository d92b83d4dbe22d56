/// What happens to a response that points elsewhere.
///
/// NetKit follows redirects itself by RFC 9110, section 15.4: 303 turns into a GET, 301 and 302 turn
/// a POST into a GET, 307 and 308 repeat method and body. `https` is never left for `http`. A hop to
/// another origin leaves every credential behind: `Authorization`, `Cookie`,
/// `Proxy-Authorization`, the header of an ``AuthToken`` and whatever is marked sensitive or has a secret's name.
public struct RedirectPolicy: Hashable, Sendable {
    /// How many redirects one call follows; nil follows none and gives the 3xx as the response.
    package let maximum: Int?

    /// Follows up to 20 redirects.
    ///
    /// The default.
    public static var follow: RedirectPolicy { .follow(maximum: 20) }

    /// Follows none: the 3xx is the response, and so the call's error.
    public static var doNotFollow: RedirectPolicy { RedirectPolicy(maximum: nil) }

    /// Follows at most `maximum` redirects; one more is ``TransportError/Kind/tooManyRedirects``.
    ///
    /// - Parameter maximum: The number of redirects, at least 0; less counts as 0.
    /// - Returns: The policy.
    public static func follow(maximum: Int) -> RedirectPolicy {
        RedirectPolicy(maximum: max(0, maximum))
    }
}
