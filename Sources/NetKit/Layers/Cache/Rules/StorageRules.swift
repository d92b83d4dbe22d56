/// Which responses a private cache may store (RFC 9111, section 3).
enum StorageRules {
    /// Whether the response to a GET may be stored, and would be of use.
    static func allow(_ head: ResponseHead) -> Bool {
        let headers = head.headers
        let control = headers.cacheControl
        guard allow(head.status, control) else { return false }
        guard
            FreshnessTerms.isHeuristicallyCacheable(head.status) || control.has("max-age")
                || control.has("public") || control.has("private") || headers[.expires] != nil
        else { return false }
        // Neither fresh nor validated, it could never be used.
        guard isEverFresh(head, control) || headers[.eTag] != nil || headers[.lastModified] != nil
        else { return false }
        if let vary = headers[.vary], HTTPHeaders.names(inList: vary).contains("*") { return false }
        return headers[.contentType].map { !EventStream.isNamed(in: $0) } ?? true
    }

    private static func allow(_ status: HTTPStatus, _ control: CacheControl) -> Bool {
        switch status.rawValue {
        // Parts are not combined. What a request without the right credential gets is of no use to the next one.
        case ..<200, 206, 304, 401, 407: false
        default:
            control.has("must-understand") ? isUnderstood(status) : !control.noStore
        }
    }

    private static func isEverFresh(_ head: ResponseHead, _ control: CacheControl) -> Bool {
        if let seconds = control.seconds(of: "max-age"), seconds > 0 { return true }
        if !control.has("max-age"), head.headers[.expires] != nil { return true }
        // It may be used when it is stale.
        return ["stale-while-revalidate", "stale-if-error"]
            .contains { control.seconds(of: $0) ?? 0 > 0 }
    }

    /// Whether the cache knows what a status demands of it.
    private static func isUnderstood(_ status: HTTPStatus) -> Bool {
        switch status.rawValue {
        case 200...204, 300...303, 307, 308, 400, 403...405, 410, 414, 500...504: true
        default: false
        }
    }

    /// The fields to store: without those of one connection (section 3.1), those that `no-cache` names, and `Set-Cookie`,
    /// whose cookies a jar has already.
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
