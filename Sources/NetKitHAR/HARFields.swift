package import Foundation
import NetKit
import NetKitSupport

extension HAR {
    /// A name and a value: a header field or a query item.
    package struct Field: Equatable, Sendable {
        /// The name of the field or item.
        package var name: String
        /// The value of the field or item.
        package var value: String
        /// A comment on the field or item.
        package var comment: String?

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie that a request sends or a response sets.
    package struct Cookie: Equatable, Sendable {
        /// The name of the cookie.
        package var name: String
        /// The value of the cookie.
        package var value: String
        /// The path that the cookie applies to.
        package var path: String?
        /// The host that the cookie applies to.
        package var domain: String?
        /// The expiration date as ISO 8601 text, or nil for a session cookie.
        package var expires: String?
        /// Whether scripts can't access the cookie.
        package var httpOnly: Bool?
        /// Whether the cookie is sent only over encrypted connections.
        package var secure: Bool?
        /// A comment on the cookie.
        package var comment: String?

        /// Creates a cookie.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A browser page, which entries refer to by its ``id``.
    package struct Page: Sendable {
        /// The load times of a page in milliseconds after its start, or nil for unknown.
        package struct Timings: Sendable {
            /// The time until the content was loaded.
            package var onContentLoad: Double?
            /// The time until the whole page was loaded.
            package var onLoad: Double?
            /// A comment on the timings.
            package var comment: String?
        }

        private let startedDateTime: HARDate
        /// The identifier that entries refer to.
        package var id: String
        /// The title of the page.
        package var title: String
        /// The load times of the page.
        package var pageTimings: Timings
        /// A comment on the page.
        package var comment: String?

        /// The start of the page's load, to the millisecond.
        package var start: Date { startedDateTime.date }
    }
}

extension HAR.Field: HARObject {
    init(_ field: HARReader) throws(HARProblem) {
        name = try field.requiredText("name")
        value = try field.requiredText("value")
        comment = try field.text("comment")
    }

    var json: JSONValue {
        .object(["name": .of(name), "value": .of(value), "comment": .of(comment)])
    }
}

extension HAR.Page: HARObject {
    init(_ page: HARReader) throws(HARProblem) {
        startedDateTime = try page.date("startedDateTime")
        id = try page.requiredText("id")
        title = try page.requiredText("title")
        pageTimings = try page.required("pageTimings", try page.object("pageTimings"))
        comment = try page.text("comment")
    }

    var json: JSONValue {
        .object([
            "startedDateTime": startedDateTime.json, "id": .of(id), "title": .of(title),
            "pageTimings": pageTimings.json, "comment": .of(comment),
        ])
    }
}

extension HAR.Page.Timings: HARObject {
    init(_ timings: HARReader) throws(HARProblem) {
        onContentLoad = try timings.number("onContentLoad")
        onLoad = try timings.number("onLoad")
        comment = try timings.text("comment")
    }

    var json: JSONValue {
        .object([
            "onContentLoad": .of(onContentLoad), "onLoad": .of(onLoad), "comment": .of(comment),
        ])
    }
}

extension HAR.Cookie: HARObject {
    init(_ cookie: HARReader) throws(HARProblem) {
        name = try cookie.requiredText("name")
        value = try cookie.requiredText("value")
        path = try cookie.text("path")
        domain = try cookie.text("domain")
        expires = try cookie.text("expires")
        httpOnly = try cookie.flag("httpOnly")
        secure = try cookie.flag("secure")
        comment = try cookie.text("comment")
    }

    var json: JSONValue {
        .object([
            "name": .of(name), "value": .of(value), "path": .of(path), "domain": .of(domain),
            "expires": .of(expires), "httpOnly": .of(httpOnly), "secure": .of(secure),
            "comment": .of(comment),
        ])
    }

    /// Parses the cookies of a `Cookie` field (RFC 6265, section 4.2).
    static func cookies(ofRequest field: String) -> [HAR.Cookie] {
        field.split(separator: ";")
            .map { pair in
                let parts =
                    pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return HAR.Cookie(name: parts[0], value: parts.count > 1 ? parts[1] : "")
            }
    }

    /// Parses the cookie of a `Set-Cookie` field, or returns nil for an invalid one.
    ///
    /// Foundation's parser traps on some fields.
    init?(ofResponse field: String, from url: URL) {
        guard let cookie = SetCookieField(field) else { return nil }
        self.init(name: cookie.name, value: cookie.value)
        path = cookie.path
        domain = cookie.domain.isEmpty ? url.host(percentEncoded: true) : cookie.domain
        let expiry = cookie.maximumAge.map { Date(timeIntervalSinceNow: $0) } ?? cookie.expires
        expires = expiry.flatMap { ISO8601Text($0)?.description }
        httpOnly = cookie.isHTTPOnly
        secure = cookie.isSecure
    }
}
