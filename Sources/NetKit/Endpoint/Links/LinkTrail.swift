import Foundation

/// Follows the addresses that responses give, and knows whether credentials may go along.
struct LinkTrail: Sendable {
    /// Why an address is not followed.
    enum Refusal: Error, Equatable {
        /// It is no http or https address, or http from https.
        case invalid(String)
        /// It is at another origin, or was given there.
        case otherOrigin(String)
    }

    /// The origin of the first request.
    private let home: Origin
    private let followsOtherOrigins: Bool
    /// Whether the trail has left the first request's origin; credentials stay behind from then on.
    private(set) var hasLeftOrigin = false

    /// Begins a trail.
    ///
    /// - Parameters:
    ///   - home: The origin of the first request.
    ///   - followsOtherOrigins: Whether to follow URLs at other ones, without credentials.
    init(from home: Origin, followsOtherOrigins: Bool) {
        self.home = home
        self.followsOtherOrigins = followsOtherOrigins
    }

    /// Resolves a reference (RFC 3986, section 5) and goes there.
    ///
    /// A response that came from another origin, by a redirect, gives no address at which the credentials
    /// are sent again.
    ///
    /// - Parameters:
    ///   - reference: What the response said; an empty one is the response's own address.
    ///   - response: Where the response came from.
    /// - Returns: The address, without user name and fragment.
    /// - Throws: ``Refusal``.
    mutating func follow(_ reference: String, from response: URL) throws(Refusal) -> URL {
        guard let target = Self.resolve(reference, against: response) else {
            throw .invalid("an address that is no URL")
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

    /// The absolute address of a reference; nil if it makes no URL.
    static func resolve(_ reference: String, against base: URL) -> URL? {
        let isEmpty = reference.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return RedirectTarget.resolve(isEmpty ? base.absoluteString : reference, against: base)
    }
}
