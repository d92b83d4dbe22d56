public import Foundation

/// What happens to a response that points elsewhere.
///
/// NetKit follows redirects itself by RFC 9110, section 15.4: 303 turns into a GET, 301 and 302 turn
/// a POST into a GET, 307 and 308 repeat method and body. `https` is never left for `http`. A hop to
/// another origin leaves every credential behind: `Authorization`, `Cookie`,
/// `Proxy-Authorization`, the header of an ``AuthToken`` and whatever is marked sensitive or has a secret's name.
public struct RedirectPolicy: Sendable {
    /// How many redirects one call follows; nil follows none and gives the 3xx as the response.
    package let maximum: Int?
    /// Whether a redirect from one address to another is followed.
    package let allows: @Sendable (_ from: URL, _ to: URL) -> Bool

    /// Follows up to 20 redirects.
    ///
    /// The default.
    public static var follow: RedirectPolicy { .follow(maximum: 20) }

    /// Follows up to 20 redirects within the origin of each request; another one is the response.
    public static var sameOriginOnly: RedirectPolicy {
        .follow { from, to in Origin(from) == Origin(to) }
    }

    /// Follows none: the 3xx is the response, and so the call's error.
    public static var doNotFollow: RedirectPolicy {
        RedirectPolicy(maximum: nil) { _, _ in false }
    }

    /// Follows at most `maximum` redirects; one more is ``TransportError/Kind/tooManyRedirects``.
    ///
    /// - Parameter maximum: The number of redirects, at least 0; less counts as 0.
    /// - Returns: The policy.
    public static func follow(maximum: Int) -> RedirectPolicy {
        .follow(maximum: maximum) { _, _ in true }
    }

    /// Follows the redirects that a closure allows; another one is the response.
    ///
    /// The rules for https, methods and credentials hold for those that are allowed.
    ///
    /// - Parameters:
    ///   - maximum: The number of redirects, at least 0; less counts as 0. Defaults to 20.
    ///   - isAllowed: Says whether a redirect is followed, from the address of the request to the one that the response
    ///     names.
    /// - Returns: The policy.
    public static func follow(
        maximum: Int = 20,
        where isAllowed: @escaping @Sendable (_ from: URL, _ to: URL) -> Bool
    ) -> RedirectPolicy {
        RedirectPolicy(maximum: max(0, maximum), allows: isAllowed)
    }
}
