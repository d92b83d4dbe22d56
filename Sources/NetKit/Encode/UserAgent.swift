/// The `User-Agent` of requests that don't set another one (RFC 9110, section 10.1.5).
package enum UserAgent {
    /// The name and the version of NetKit.
    ///
    /// `Tools/scripts/lint` compares the version with that of the last release in CHANGELOG.md, and
    /// `Tools/scripts/publish` with that of the release it makes.
    package static let standard = "NetKit/0.1.0"

    /// Whether a request has only the standard value, or none.
    package static func isStandard(in headers: HTTPHeaders) -> Bool {
        let value = headers[.userAgent]
        return value == nil || value == standard
    }
}
