import Foundation
import NetKit
import NetKitSupport

/// The rules for storing responses in a private cache (RFC 9111, section 3).
enum StorageRules {
    /// The maximum number of names in `Vary`, all of which later requests have to compare.
    private static let maximumVary = 100

    /// Returns whether the response to a GET may be stored and would be useful.
    static func allow(_ head: ResponseHead) -> Bool {
        let headers = head.headers
        let control = headers.cacheControl
        guard allow(head.status, control) else { return false }
        guard
            FreshnessTerms.isHeuristicallyCacheable(head.status) || control.has("max-age")
                || control.has("public") || control.has("private") || headers[.expires] != nil
        else { return false }
        // A response that is never fresh and can't be validated could never be used.
        guard isEverFresh(head, control) || headers[.eTag] != nil || headers[.lastModified] != nil
        else { return false }
        if let vary = headers[.vary] {
            let names = HTTPHeaders.names(inList: vary)
            guard names.count <= maximumVary, !names.contains("*") else { return false }
        }
        return headers[.contentType].map { !EventStream.isNamed(in: $0) } ?? true
    }

    /// Returns whether a status code and `Cache-Control` allow a response to be stored.
    static func allow(_ status: HTTPStatus, _ control: CacheControl) -> Bool {
        switch status.rawValue {
        // Partial responses aren't combined, and a response to a rejected credential is useless later.
        case ..<200, 206, 304, 401, 407: false
        default:
            control.has("must-understand") ? isUnderstood(status) : !control.noStore
        }
    }

    private static func isEverFresh(_ head: ResponseHead, _ control: CacheControl) -> Bool {
        if let seconds = control.seconds(of: "max-age"), seconds > 0 { return true }
        if !control.has("max-age"), head.headers[.expires] != nil { return true }
        // It may be used while it is stale.
        return ["stale-while-revalidate", "stale-if-error"]
            .contains { control.seconds(of: $0) ?? 0 > 0 }
    }

    /// Returns whether the cache supports a status code's caching requirements.
    private static func isUnderstood(_ status: HTTPStatus) -> Bool {
        switch status.rawValue {
        case 200...204, 300...303, 307, 308, 400, 403...405, 410, 414, 500...504: true
        default: false
        }
    }

    /// Returns the fields to store.
    ///
    /// It omits hop-by-hop fields (section 3.1), fields named by `no-cache`, and `Set-Cookie`, whose cookies are
    /// already in a jar.
    static func fields(of headers: HTTPHeaders) -> HTTPHeaders {
        var dropped: Set<HTTPHeaderName> = [
            .connection, "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate",
            "Proxy-Authentication-Info", .proxyAuthorization, .te, .transferEncoding, .upgrade,
            .setCookie,
        ]
        dropped.formUnion(HTTPHeaders.names(inList: headers[.connection] ?? ""))
        dropped.formUnion(headers.cacheControl.fieldsToValidate)
        var kept = headers
        kept.removeFields { dropped.contains($0.name) }
        return kept
    }
}

/// The rules for selecting among stored responses (RFC 9111, section 4.1).
enum Selection {
    /// Normalizes a field value for comparison.
    ///
    /// Blanks around commas are ignored, unless some are quoted, and so is the case of languages. Their order counts: many
    /// servers prefer the first one (RFC 9110, section 12.5.4).
    static func normalized(_ value: String, of name: HTTPHeaderName) -> String {
        if value.utf8.contains(UInt8(ascii: "\"")) { return value }
        let isLanguage = name == .acceptLanguage
        var elements = HTTPHeaders.elements(ofList: value)
        if isLanguage { elements = elements.map { $0.lowercased() } }
        return elements.joined(separator: ", ")
    }

    /// Stands for the transport, like the name of a field.
    ///
    /// No field can have it.
    static let connection: HTTPHeaderName = ":connection"

    /// Returns the names of what selects a response, sorted and without duplicates.
    ///
    /// They are the field names in `Vary`. A `private` response is one user's, and servers forget `Vary`. It is
    /// therefore also selected by the cookies, and by a transport that may carry a credential.
    static func names(in headers: HTTPHeaders) -> [HTTPHeaderName] {
        let vary = headers[.vary]
        let isPrivate = headers.cacheControl.has("private")
        guard vary != nil || isPrivate else { return [] }
        var names = Set(HTTPHeaders.names(inList: vary ?? "").map { $0.rawName.lowercased() })
        if isPrivate {
            names.formUnion([HTTPHeaderName.cookie, connection].map { $0.rawName.lowercased() })
        }
        return names.sorted().map { HTTPHeaderName($0) }
    }
}
