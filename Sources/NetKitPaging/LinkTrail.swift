import Foundation
import NetKit

/// Follows the URLs in responses and tracks whether credentials may be sent to them.
struct LinkTrail: Sendable {
    /// A reason not to follow a URL.
    enum Refusal: Error, Equatable {
        /// The URL is neither http nor https, or it downgrades from https to http.
        case invalid(String)
        /// The URL is at another origin, or a response from another origin provided it.
        case otherOrigin(String)
    }

    /// The origin of the first request.
    private let home: Origin
    private let followsOtherOrigins: Bool
    /// Whether the trail has left the first origin, after which no credentials are sent.
    private(set) var hasLeftOrigin = false

    /// Starts a trail.
    ///
    /// - Parameters:
    ///   - home: The origin of the first request.
    ///   - followsOtherOrigins: Whether to follow URLs at other origins, without credentials.
    init(from home: Origin, followsOtherOrigins: Bool) {
        self.home = home
        self.followsOtherOrigins = followsOtherOrigins
    }

    /// Resolves a reference (RFC 3986, section 5) and follows it.
    ///
    /// If the response came from another origin after a redirect, credentials aren't sent to its references, not even
    /// to those at the first origin.
    ///
    /// - Parameters:
    ///   - reference: The reference in the response. An empty one means the response's own URL.
    ///   - response: The URL of the response.
    /// - Returns: The URL, without user name and fragment.
    /// - Throws: ``Refusal``.
    mutating func follow(_ reference: String, from response: URL) throws(Refusal) -> URL {
        guard let target = Self.resolve(reference, against: response) else {
            throw .invalid("a link that is not a URL")
        }
        let shown = RedactedURL(target).description
        guard let from = Origin(response), let to = Origin(target),
            to.scheme == "https" || (from.scheme == "http" && home.scheme == "http")
        else { throw .invalid(shown) }
        guard hasLeftOrigin || from != home || to != home else { return target }
        guard followsOtherOrigins else { throw .otherOrigin(shown) }
        hasLeftOrigin = true
        return target
    }

    /// Resolves a reference to an absolute URL, or returns nil if it isn't valid.
    static func resolve(_ reference: String, against base: URL) -> URL? {
        let isEmpty = reference.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return RedirectTarget.resolve(isEmpty ? base.absoluteString : reference, against: base)
    }
}
