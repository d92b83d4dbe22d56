import Foundation

@testable import NetKit
@testable import NetKitSupport

extension FuzzTarget {
    static let addresses = [
        FuzzTarget("target-url", hasFirstLine: true, AddressProperties.target),
        FuzzTarget("base-url", hasFirstLine: true, AddressProperties.base),
        FuzzTarget("template", hasFirstLine: true, AddressProperties.template),
        FuzzTarget("redirect", hasFirstLine: true, AddressProperties.redirect),
        FuzzTarget("percent", AddressProperties.percent),
    ]
}

/// URLs that requests go to.
enum AddressProperties {
    /// A URL that requests may be sent to: an origin, a port that is one, no credential and no fragment.
    static func expectSendable(_ url: URL) throws {
        let text = url.absoluteString
        try expect(Origin(url) != nil, "a URL with an origin: \(text)")
        try expect(url.port.map { (1...65_535).contains($0) } ?? true, "a port is one: \(text)")
        try expect(url.user == nil && url.password == nil, "no credential is in a URL: \(text)")
        try expect(url.fragment == nil, "no fragment is sent: \(text)")
        try expect(
            text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
            "a URL is printable ASCII: \(text)"
        )
    }

    /// A path leads to the base's host unless it is a whole URL, and a query reads back.
    static func target(_ input: FuzzInput) throws {
        let (path, rest) = input.lines
        guard let url = URL(string: "http://host.test:8080/api?base=1") else {
            throw Finding("no URL")
        }
        let value = String(decoding: rest, as: UTF8.self)
        let query = TargetQuery(params: [("name", value), (value, "")])
        let base = try BaseURL(url)
        guard let target = accepted(try TargetURL(base: base, path: path, query: query)) else {
            return
        }
        try expectSendable(target.url)
        try expect(Origin(target.url), is: target.origin, "the origin is the URL's")
        if !WrittenPath(path).isAbsolute {
            try expect(target.origin, is: base.origin, "a path leads nowhere else")
            try expect(
                target.url.path(percentEncoded: true).hasPrefix("/api"),
                "nor above the base"
            )
        }
        let items = FormFields.items(in: (target.url.query(percentEncoded: true) ?? "").utf8)
        let last = items.suffix(2).map { [$0.name, $0.value] }
        try expect(last, is: [["name", value], [value, ""]], "a query reads back")
    }

    /// Any text that is taken as a base URL can be sent to.
    static func base(_ input: FuzzInput) throws {
        let (text, rest) = input.lines
        guard let url = URL(string: text) else { return }
        _ = (RedactedURL(url).description, Redaction.secrets.shown(url))
        guard let base = accepted(try BaseURL(url)) else { return }
        let path = String(decoding: rest, as: UTF8.self)
        guard let target = accepted(try TargetURL(base: base, path: path, query: TargetQuery()))
        else {
            return
        }
        try expectSendable(target.url)
        if !WrittenPath(path).isAbsolute {
            try expect(target.origin, is: base.origin, "a path leads nowhere else")
        }
    }

    /// The value of a placeholder stays one segment, or one value of a query.
    static func template(_ input: FuzzInput) throws {
        let (path, rest) = input.lines
        let request = Templated(path: path, id: String(decoding: rest, as: UTF8.self))
        let traits = RequestTraits.of(request)
        guard let made = accepted(try RequestParameters(of: request, traits).path(in: path)) else {
            return
        }
        for delimiter in ["/", "?", "#"] {
            try expect(
                made.utf8.count(of: delimiter),
                is: path.utf8.count(of: delimiter),
                "a value adds no \(delimiter) to \(made)"
            )
        }
    }

    private struct Templated: Request {
        typealias ResponseObjectType = Data
        let path: String
        @Path("id") var id = ""
    }

    /// A redirect leads to a URL that can be sent to, never from https to http, and leaves credentials behind.
    static func redirect(_ input: FuzzInput) throws {
        let (from, rest) = input.lines
        guard let url = URL(string: from), Origin(url) != nil else { return }
        var headers: HTTPHeaders = [.accept: "*/*"]
        headers.set(.authorization, to: "planted")
        let request = EncodedRequest(url: url, method: .post, headers: headers)
        let location = String(decoding: rest, as: UTF8.self)
        let head = ResponseHead(status: 302, headers: [.location: location])
        let decision = RedirectRules.decide(head, after: request, policy: .follow, followed: 0)
        guard case .follow(let next) = decision else { return }
        try expectSendable(next.url)
        let (old, new) = (Origin(url), Origin(next.url))
        try expect(old?.scheme == "http" || new?.scheme == "https", "no way back to http")
        try expect(
            next.headers[.authorization] == nil || old == new,
            "credentials stay with their origin"
        )
    }

    /// What is encoded reads back; what was written as a URL stays as it is when it is encoded again.
    static func percent(_ input: FuzzInput) throws {
        let text = input.text
        for component in [PercentEncoding.Component.queryValue, .segment, .form] {
            let bytes = encoded(text, component)
            // Of a segment a plus is one; in a query servers read a space.
            let read = FormFields.percentDecoded(bytes, plusIsSpace: component != .segment)
            try expect(Array(read.utf8), is: Array(text.utf8), "what is encoded reads back")
        }
        for component in [PercentEncoding.Component.path, .query] {
            let once = encoded(text, component)
            let twice = encoded(String(decoding: once, as: UTF8.self), component)
            try expect(twice, is: once, "what is encoded stays")
        }
        let items = FormFields.items(in: input.bytes)
        let form = items.map {
            encoded($0.name, .form) + [UInt8(ascii: "=")] + encoded($0.value, .form)
        }
        let again = FormFields.items(in: form.joined(separator: [UInt8(ascii: "&")]).map { $0 })
        try expect(
            again.map { [$0.name, $0.value] },
            is: items.map { [$0.name, $0.value] },
            "a form reads back"
        )
    }

    private static func encoded(_ text: String, _ component: PercentEncoding.Component) -> [UInt8] {
        var bytes: [UInt8] = []
        PercentEncoding.append(text, as: component, to: &bytes)
        return bytes
    }
}
