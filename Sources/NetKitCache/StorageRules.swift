import Foundation
import NetKit
import NetKitSupport

/// The rules for storing responses in a private cache (RFC 9111, section 3).
enum StorageRules {
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
        if let vary = headers[.vary], HTTPHeaders.names(inList: vary).contains("*") { return false }
        return headers[.contentType].map { !EventStream.isNamed(in: $0) } ?? true
    }

    private static func allow(_ status: HTTPStatus, _ control: CacheControl) -> Bool {
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
    /// Blanks around commas are ignored. Languages are compared as a set, ignoring case.
    static func normalized(_ value: String, of name: HTTPHeaderName) -> String {
        let isLanguage = name == .acceptLanguage
        var elements = HTTPHeaders.elements(ofList: value)
        if isLanguage { elements = elements.map { $0.lowercased() }.sorted() }
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

/// The rules for validating a stored response (RFC 9111, section 4.3).
enum Validation {
    /// Adds a stored response's validators to a request, or returns nil if it has none.
    static func request(_ request: EncodedRequest, validating stored: StoredHead) -> EncodedRequest?
    {
        var conditional = request
        // Uses them as received, even if malformed, unless they are invalid in a field.
        let tag = stored.headers[.eTag].flatMap { $0.isFieldValue ? $0 : nil }
        let modified = stored.headers[.lastModified].flatMap { $0.isFieldValue ? $0 : nil }
        if let tag { conditional.headers[.ifNoneMatch] = tag }
        if let modified { conditional.headers[.ifModifiedSince] = modified }
        return tag != nil || modified != nil ? conditional : nil
    }

    /// Returns whether a 304 is for the stored response (section 4.3.4).
    ///
    /// It must not have another entity tag.
    static func confirms(_ head: ResponseHead, _ stored: StoredHead) -> Bool {
        guard let tag = head.headers[.eTag], let own = stored.headers[.eTag] else { return true }
        return opaque(tag) == opaque(own)
    }

    /// Returns whether a HEAD response agrees with the stored response (section 4.3.5).
    static func agrees(_ head: ResponseHead, with stored: StoredHead) -> Bool {
        head.status == stored.status
            && [HTTPHeaderName.eTag, .lastModified, .contentLength]
                .allSatisfy { name in
                    head.headers[name].map { $0 == stored.headers[name] } ?? true
                }
    }

    /// Merges the fields of a newer head into the stored one (section 3.2).
    ///
    /// - Parameters:
    ///   - head: The newer head.
    ///   - stored: The stored head.
    ///   - date: The arrival of the newer head.
    /// - Returns: The merged fields.
    static func merge(
        _ head: ResponseHead,
        into stored: StoredHead,
        at date: Date
    ) -> HTTPHeaders {
        var merged = stored.headers
        let newer = StorageRules.fields(of: head.headers).fields.filter { !isKept($0.name) }
        let replaced = Set(newer.map(\.name))
        // In one pass: a server can send thousands of fields.
        merged.removeFields { $0.name == .age || replaced.contains($0.name) }
        for field in newer { merged.append(field.value, for: field.name) }
        // The stored date isn't that of the newer response (RFC 9110, section 6.6.1).
        if head.headers[.date] == nil { merged[.date] = HTTPDate.text(of: date) }
        return StorageRules.fields(of: merged)
    }

    /// Returns whether a confirmed response may be reused, according to its new fields.
    static func isStillStorable(_ fresh: StoredHead, since stored: StoredHead) -> Bool {
        let names = Selection.names(in: fresh.headers).map { $0.rawName.lowercased() }
        return !fresh.terms.control.noStore && names == stored.selectors.map(\.name)
    }

    /// Returns whether a field describes the stored body, which doesn't change.
    private static func isKept(_ name: HTTPHeaderName) -> Bool {
        name == .contentLength || name == .contentEncoding || name == .contentRange
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
