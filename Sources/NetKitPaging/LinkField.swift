package import Foundation
package import NetKit
import NetKitSupport

/// A `Link` field (RFC 8288, section 3), parsed as appendix B.2 describes.
///
/// The parser skips malformed links, up to the next comma outside of `<>` and quotes.
struct LinkField: Equatable, Sendable {
    /// A link of the field.
    struct Link: Equatable, Sendable {
        /// The text between `<` and `>`.
        let target: String
        /// The parameters in order, with lowercase names.
        var parameters: [Parameter] = []

        /// Returns the value of the first parameter with a name.
        ///
        /// Later ones are ignored.
        subscript(name: String) -> String? {
            parameters.first { $0.name == name }?.value
        }

        /// The relation types in lowercase.
        var relations: [String] {
            (self["rel"] ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        }
    }

    /// A parameter of a link.
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String
    }

    /// The maximum number of anchors that are compared.
    ///
    /// Links with others are ignored (RFC 8288, section 3.2).
    private static let maximumAnchors = 100

    let links: [Link]

    /// Parses a field value.
    ///
    /// Several fields are joined by commas first.
    init(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        links = scanner.links()
    }

    /// Returns the target of the first link with a relation to the response itself.
    ///
    /// - Parameters:
    ///   - relation: The relation type in lowercase.
    ///   - response: The URL of the response. Links whose `anchor` is something else are skipped.
    /// - Returns: The target as written, or nil if there is no such link.
    func target(of relation: String, in response: URL) -> String? {
        lazy var context = LinkTrail.resolve("", against: response)
        var anchors = 0
        return links.first { link in
            guard link.relations.contains(relation) else { return false }
            guard let anchor = link["anchor"] else { return true }
            anchors += 1
            // A fragment of the response isn't the response.
            guard anchors <= Self.maximumAnchors, !anchor.contains("#") || anchor.hasSuffix("#")
            else { return false }
            return context != nil && LinkTrail.resolve(anchor, against: response) == context
        }?
        .target
    }
}

/// A byte-wise scanner of `Link` fields, whose syntax is all ASCII.
private struct Scanner {
    private let bytes: [UInt8]
    /// The position of the last `>`, after which the search for a target's end stops.
    private let lastEnd: Int
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    mutating func links() -> [LinkField.Link] {
        var links: [LinkField.Link] = []
        while position < bytes.count {
            skipBlanks()
            if take("<"), let link = link() { links.append(link) }
            skipToComma()
        }
        return links
    }

    /// Parses a link behind its `<`, or returns nil without a `>`.
    private mutating func link() -> LinkField.Link? {
        guard let target = target() else { return nil }
        var link = LinkField.Link(target: target)
        skipBlanks()
        while take(";") {
            if let parameter = parameter() { link.parameters.append(parameter) }
            skipBlanks()
        }
        return link
    }

    /// Returns the text before the next `>`.
    private mutating func target() -> String? {
        guard position <= lastEnd,
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        defer { position = end + 1 }
        return text(position..<end)
    }

    private mutating func parameter() -> LinkField.Parameter? {
        skipBlanks()
        let name = textUpTo([" ", "\t", "=", ";", ","]).lowercased()
        skipBlanks()
        var value = ""
        if take("=") {
            skipBlanks()
            value = take("\"") ? quotedText() : textUpTo([";", ","])
        }
        return name.isEmpty ? nil : LinkField.Parameter(name: name, value: value)
    }

    /// Returns the text after a quotation mark, up to the next one or the end.
    private mutating func quotedText() -> String {
        var text: [UInt8] = []
        while position < bytes.count, !take("\"") {
            if take("\\"), position == bytes.count { break }
            text.append(bytes[position])
            position += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func textUpTo(_ ends: [Unicode.Scalar]) -> String {
        let start = position
        while position < bytes.count, !ends.contains(Unicode.Scalar(bytes[position])) {
            position += 1
        }
        return text(start..<position)
    }

    /// Skips past the next comma that is outside of targets and quotes.
    private mutating func skipToComma() {
        while position < bytes.count, !take(",") {
            if take("\"") {
                _ = quotedText()
            } else if take("<") {
                _ = target()
            } else {
                position += 1
            }
        }
    }

    private mutating func skipBlanks() {
        while take(" ") || take("\t") {}
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, Unicode.Scalar(bytes[position]) == character else {
            return false
        }
        position += 1
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension FollowUp {
    /// Creates a change that sends the same request to another URL.
    static func moved(to url: URL) -> FollowUp {
        FollowUp { request throws(InvalidRequest) in
            request = request.moved(to: url)
        }
    }

    /// Creates a change that follows a link with GET, without the body, its fields and preconditions.
    ///
    /// - Parameters:
    ///   - url: The link.
    ///   - encoding: The endpoint's encoding defaults. Their query is added as it is to the first request. The base
    ///     URL's isn't, because the link replaces it.
    /// - Returns: The change.
    static func link(to url: URL, _ encoding: EncodingDefaults) -> FollowUp {
        FollowUp(dropsBody: true) { request throws(InvalidRequest) in
            let target = try TargetURL(
                base: try encoding.base.get(),
                path: url.absoluteString,
                query: TargetQuery(defaults: encoding.queryParams, params: [], items: [])
            )
            request = request.withoutBody(at: target.url)
        }
    }

    /// Creates a change that follows a link to another origin with GET, without credentials.
    static func foreignLink(to url: URL) -> FollowUp {
        FollowUp(dropsBody: true) { request throws(InvalidRequest) in
            request = request.withoutBody(at: url)
            request.removeCredentials()
        }
    }
}

extension EncodedRequest {
    /// Returns the request for another URL.
    ///
    /// Credentials are removed if the origin changes.
    fileprivate func moved(to url: URL) -> EncodedRequest {
        var next = self
        next.url = url
        if next.origin != origin { next.removeCredentials() }
        return next
    }

    /// Returns the GET of another URL, without the body and its fields.
    ///
    /// Preconditions and `Range` (RFC 9110, sections 13.1 and 14.2) are for the request's own resource. They are removed,
    /// unless the request is itself a GET of this URL.
    fileprivate func withoutBody(at url: URL) -> EncodedRequest {
        var next = moved(to: url)
        next.method = .get
        next.removeBody()
        if method != .get || next.url.absoluteString != self.url.absoluteString {
            for name in Self.conditionFields { next.headers[name] = nil }
        }
        return next
    }

    private static let conditionFields: [HTTPHeaderName] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range,
    ]
}

extension Request {
    /// Throws if the request is or wraps a download, because all responses would go to one file.
    func refuseDownload(to purpose: String) throws(ErrorResponse<ErrorType>) {
        guard RequestTraits.of(self).download(in: self) != nil else { return }
        let feature = UnsupportedFeature("\(purpose) a download; ask first, then download")
        throw .transport(TransportError(.unsupported, underlying: feature))
    }
}

extension Endpoint {
    /// Creates the call that follows a link from a response.
    ///
    /// - Parameters:
    ///   - request: The request that led to the link.
    ///   - url: The link.
    ///   - isForeign: Whether to remove credentials and interceptors.
    /// - Returns: The call, which hasn't started.
    package func call<R: Request>(_ request: R, at url: URL, isForeign: Bool) -> Call<R> {
        guard isForeign else {
            return call(request, .link(to: url, settings.values.encoding))
        }
        var call = Endpoint(self, withoutCredentialsAt: url).call(request, .foreignLink(to: url))
        call.isForeign = true
        return call
    }
}

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
        let isEmpty = RedirectTarget.isBlank(reference)
        return RedirectTarget.resolve(isEmpty ? base.absoluteString : reference, against: base)
    }
}
