import Foundation

@testable import NetKit
@testable import NetKitCache
@testable import NetKitPaging
@testable import NetKitSupport

extension FuzzTarget {
    static let fields = [
        FuzzTarget("headers", FieldProperties.headers),
        FuzzTarget("link", FieldProperties.link),
        FuzzTarget("date", FieldProperties.date),
        FuzzTarget("retry-after", FieldProperties.retryAfter),
        FuzzTarget("content-range", FieldProperties.contentRange),
        FuzzTarget("cache-control", FieldProperties.cacheControl),
        FuzzTarget("media-type", FieldProperties.mediaType),
    ]
}

/// Header fields and their values.
private enum FieldProperties {
    /// Fields are found by their names whatever their number, and every typed value can be asked for.
    static func headers(_ input: FuzzInput) throws {
        var headers = HTTPHeaders()
        var plain: [String: String] = [:]
        for line in input.text.utf8.split(separator: 0x0A) {
            let parts = Substring(line).split(separator: ":", maxSplits: 1).map(String.init)
            guard let name = parts.first else { continue }
            let field = HTTPHeaderName(name)
            if parts.count == 1 {
                headers[field] = nil
                plain[key(name)] = nil
            } else {
                headers[field] = parts[1]
                plain[key(name)] = parts[1]
            }
        }
        try expect(headers.count, is: plain.count, "one field a name")
        for field in headers {
            try expect(field.value, is: plain[key(field.name.rawName)] ?? "", "a field's value")
        }
        _ = (headers.contentType, headers.accept, headers.authToken)
        _ = (headers.contentLength, headers.dictionary)
        try expect(headers.contentLength ?? 0 >= 0, "a length is not negative")
        headers.trimValues()
        let rest = headers.withoutCredentials()
        try expect(!rest.contains { $0.name.isCredential }, "no credential is left")
        guard !input.bytes.contains(text: secret) else { return }
        headers.set(.authorization, to: secret)
        headers.set("X-Api-Key", to: secret)
        headers.set("X-Plain", to: secret, isSensitive: true)
        try expect(!headers.description.utf8.contains(text: secret), "no secret is shown")
    }

    private static let secret = "planted"

    /// A name as names compare.
    private static func key(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }

    /// Links read back as they were written; a target that is followed has an origin.
    static func link(_ input: FuzzInput) throws {
        let links = LinkField(input.text).links
        let written = links.map { link in
            "<\(link.target)>"
                + link.parameters.map { "; \($0.name)=\(QuotedString.quoting($0.value))" }.joined()
        }
        let again = LinkField(written.joined(separator: ", ")).links
        try expect(again, is: links, "what is written reads back")
        guard let url = URL(string: "https://host.test/a/b?c"), let home = Origin(url) else {
            throw Finding("no URL")
        }
        guard let target = LinkField(input.text).target(of: "next", in: url) else { return }
        var trail = LinkTrail(from: home, followsOtherOrigins: true)
        if let next = accepted(try trail.follow(target, from: url)) {
            try AddressProperties.expectSendable(next)
            try expect(Origin(next)?.scheme, is: "https", "a trail stays with https")
        }
    }

    /// A date reads back as it is written.
    static func date(_ input: FuzzInput) throws {
        guard let date = HTTPDate.parse(input.text) else { return }
        try expect(input.bytes.count <= 33, "no date has more than 33 characters")
        guard let written = HTTPDate.text(of: date) else {
            return try expect(
                date.timeIntervalSince1970 < -62_135_596_800
                    || date.timeIntervalSince1970 >= 253_402_300_800,
                "a date within the years 1 to 9999 can be written"
            )
        }
        try expect(HTTPDate.parse(written), is: date, "what is written reads back")
    }

    /// A wait is never negative, and digits are seconds.
    static func retryAfter(_ input: FuzzInput) throws {
        let now = Date(timeIntervalSince1970: 784_111_777)
        if let delay = RetryAfter.delay(input.text, now: now) {
            try expect(delay >= .zero, "a wait is not negative")
        }
        let names: [HTTPHeaderName] = [
            .retryAfter, "RateLimit-Reset", "X-RateLimit-Reset", "RateLimit",
        ]
        for name in names {
            let head = ResponseHead(status: 429, headers: [name: input.text])
            if let delay = RetryAfter.delay(of: head, now: now) {
                try expect(delay >= .zero, "a wait is not negative")
            }
        }
        let (first, rest) = input.lines
        let fields: HTTPHeaders = [
            .date: first, .retryAfter: String(decoding: rest, as: UTF8.self),
        ]
        if let delay = RetryAfter.delay(of: ResponseHead(status: 503, headers: fields), now: now) {
            try expect(delay >= .zero, "a wait is not negative")
        }
    }

    /// A range reads back as it is written, and lies within its total.
    static func contentRange(_ input: FuzzInput) throws {
        if let range = ContentRange(input.text) {
            try expect(0 <= range.first && range.first <= range.last, "a range is one")
            try expect(range.total.map { range.last < $0 } ?? true, "a range is within its total")
            let total = range.total.map { "\($0)" } ?? "*"
            let written = "bytes \(range.first)-\(range.last)/\(total)"
            try expect(ContentRange(written), is: range, "what is written reads back")
        }
        try ServerProperties.range(input)
    }

    /// Directives are there once each, and a stored response has a lifetime and an age, whatever its fields say.
    static func cacheControl(_ input: FuzzInput) throws {
        let directives = CacheControl(fieldValue: input.text)
        let names = directives.directives.map(\.name)
        try expect(Set(names).count, is: names.count, "each name is there once")
        // Each look-up is a linear search.
        for name in names.prefix(100) {
            let seconds = directives.seconds(of: name) ?? -1
            try expect((0...2_147_483_648).contains(seconds), "seconds are within their limits")
        }
        let lines = input.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let fields: [HTTPHeaderName] = [
            .cacheControl, .age, .date, .expires, .lastModified, .vary, .eTag,
        ]
        let headers = HTTPHeaders(zip(fields, lines).map { ($0, $1) })
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let stored = StoredHead(
            key: CacheKey(url: "", partition: ""),
            selectors: [],
            status: 200,
            headers: StorageRules.fields(of: headers),
            requestDate: now - 1,
            responseDate: now
        )
        let freshness = Freshness(of: stored, at: now + 1)
        try expect(freshness.age >= 0 && freshness.lifetime >= 0, "nothing is younger than nothing")
        _ = (
            StorageRules.allow(ResponseHead(status: 200, headers: headers)),
            Selection.names(in: headers)
        )
        _ = Selection.normalized(input.text, of: .acceptLanguage)
        _ = Validation.merge(
            ResponseHead(status: .notModified, headers: headers),
            into: stored,
            at: now
        )
    }

    /// A media type is the same made of its parts; one that is not valid has a type and a subtype all the same.
    static func mediaType(_ input: FuzzInput) throws {
        let unchecked = MimeType(rawValue: input.text)
        _ = (unchecked.type, unchecked.subtype, unchecked.parameters, unchecked.hashValue)
        guard let type = MimeType(input.text) else { return }
        let made = MimeType(type: type.type, subtype: type.subtype, parameters: type.parameters)
        try expect(made, is: type, "a type made of its parts is the same")
        try expect(MimeType(made.rawValue), is: type, "what is written reads back")
    }
}
