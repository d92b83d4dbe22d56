import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HAR.Cookie {
    /// The cookies of a `Cookie` field (RFC 6265, section 4.2).
    static func cookies(ofRequest field: String) -> [HAR.Cookie] {
        field.split(separator: ";")
            .map { pair in
                let parts =
                    pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return HAR.Cookie(name: parts[0], value: parts.count > 1 ? parts[1] : "")
            }
    }

    /// The cookies of a `Set-Cookie` field, or of several that are joined by commas.
    static func cookies(ofResponse field: String, from url: URL) -> [HAR.Cookie] {
        HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url)
            .map { cookie in
                var written = HAR.Cookie(name: cookie.name, value: cookie.value)
                written.path = cookie.path
                written.domain = cookie.domain
                written.expires = cookie.expiresDate.flatMap { ISO8601Text($0)?.description }
                written.httpOnly = cookie.isHTTPOnly
                written.secure = cookie.isSecure
                return written
            }
    }
}
