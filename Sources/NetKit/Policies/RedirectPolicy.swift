public import Foundation
import NetKitSupport

/// A rule for following redirects.
///
/// NetKit follows redirects itself, by RFC 9110, section 15.4. A 303 changes the method to GET (HEAD stays HEAD), a 301
/// or 302 changes POST to GET, and a 307 or 308 repeats the method and body. A redirect from `https` to `http`
/// fails with ``TransportError/Kind/unsafeRedirect``.
///
/// A redirect to another origin removes all credentials: `Authorization`, `Cookie`, `Proxy-Authorization` and the
/// header field of an ``AuthToken``. It also removes `Host`, and every field that is marked sensitive, has a
/// credential's name or is named by the redaction. ``Endpoint/authentication`` no longer applies.
public struct RedirectPolicy: Sendable {
    /// The maximum number of redirects per attempt, or nil to follow none.
    package let maximum: Int?
    /// Whether to follow a redirect from one URL to another.
    package let allows: @Sendable (_ from: URL, _ to: URL) -> Bool

    /// The default policy, which follows up to 20 redirects.
    public static var follow: RedirectPolicy { .follow(maximum: 20) }

    /// A policy that follows up to 20 redirects within the request's origin.
    ///
    /// A redirect to another origin becomes the response.
    public static var sameOriginOnly: RedirectPolicy { follow.withinOrigin }

    /// The same policy for redirects within the request's origin alone.
    package var withinOrigin: RedirectPolicy {
        RedirectPolicy(maximum: maximum) { from, to in
            Origin(from) == Origin(to) && allows(from, to)
        }
    }

    /// A policy that follows no redirects.
    ///
    /// The 3xx becomes the response, and therefore the call's error.
    public static var doNotFollow: RedirectPolicy {
        RedirectPolicy(maximum: nil) { _, _ in false }
    }

    /// Creates a policy that follows the redirects that a closure allows.
    ///
    /// A redirect beyond the maximum fails with ``TransportError/Kind/tooManyRedirects``. A rejected redirect becomes
    /// the response. The rules for `https`, methods and credentials still apply to allowed redirects.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of redirects. Negative values count as 0. Defaults to 20.
    ///   - isAllowed: A closure that decides whether to follow a redirect, given the URL of the request and the URL in
    ///     the response. Allows all by default.
    /// - Returns: The policy.
    public static func follow(
        maximum: Int = 20,
        where isAllowed: @escaping @Sendable (_ from: URL, _ to: URL) -> Bool = { _, _ in true }
    ) -> RedirectPolicy {
        RedirectPolicy(maximum: max(0, maximum), allows: isAllowed)
    }
}
