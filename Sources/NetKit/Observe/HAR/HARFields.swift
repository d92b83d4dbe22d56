package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HAR {
    /// A name and a value: a header field or an item of a query.
    package struct Field: Equatable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
        /// What there is to say about it.
        package var comment: String?

        /// Makes a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie, as a request sends it or a response sets it.
    package struct Cookie: Equatable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
        /// The path it is for.
        package var path: String?
        /// The host it is for.
        package var domain: String?
        /// Until when it holds, as ISO 8601 text; nil for as long as the session.
        package var expires: String?
        /// Whether scripts do not see it.
        package var httpOnly: Bool?
        /// Whether it is sent encrypted alone.
        package var secure: Bool?
        /// What there is to say about it.
        package var comment: String?

        /// Makes a cookie.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A page of a browser, to which entries refer by its ``id``.
    package struct Page: Sendable {
        /// When milliseconds after the start things were there; nil where it is not known.
        package struct Timings: Sendable {
            /// The content.
            package var onContentLoad: Double?
            /// Everything.
            package var onLoad: Double?
            /// What there is to say about it.
            package var comment: String?

            /// Makes timings of which nothing is known.
            package init() {}
        }

        private var startedDateTime: HARDate
        /// What entries call it.
        package var id: String
        /// The title.
        package var title: String
        /// When things were there.
        package var pageTimings = Timings()
        /// What there is to say about it.
        package var comment: String?

        /// When it was asked for, to the millisecond.
        package var start: Date {
            get { startedDateTime.date }
            set { startedDateTime = HARDate(newValue) }
        }

        /// Makes a page.
        ///
        /// - Parameters:
        ///   - id: What entries call it.
        ///   - title: The title.
        ///   - start: When it was asked for.
        package init(id: String, title: String, start: Date) {
            startedDateTime = HARDate(start)
            self.id = id
            self.title = title
        }
    }
}

extension HAR.Field: HARObject {
    init(_ field: HARReader) throws(HARFlaw) {
        name = try field.requiredText("name")
        value = try field.requiredText("value")
        comment = try field.text("comment")
    }

    var json: JSONValue {
        .object(["name": .of(name), "value": .of(value), "comment": .of(comment)])
    }
}

extension HAR.Page: HARObject {
    init(_ page: HARReader) throws(HARFlaw) {
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
    init(_ timings: HARReader) throws(HARFlaw) {
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
    init(_ cookie: HARReader) throws(HARFlaw) {
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
