import Foundation

@testable import NetKit
@testable import NetKitCookies
@testable import NetKitSupport

extension FuzzTarget {
    static let cookies = [
        FuzzTarget("set-cookie", CookieProperties.fields),
        FuzzTarget("cookie-date", CookieProperties.date),
        FuzzTarget("cookie-file", CookieProperties.file),
    ]
}

/// Cookies, their dates and their file.
private enum CookieProperties {
    private static let date = Date(timeIntervalSince1970: 1_802_520_000)

    /// A line is a field of a response; cookies keep the rules, read back as they are written, and are within the limits.
    static func fields(_ input: FuzzInput) throws {
        let lines = String(decoding: input.bytes, as: UTF8.self).utf8.split(separator: 0x0A)
            .map { String(Substring($0)) }
        for text in ["https://www.example.co.uk/a/b", "http://127.0.0.1:8080/", "http://a.b/"] {
            guard let address = URL(string: text), let url = CookieURL(address) else {
                throw Finding("no URL")
            }
            for line in lines {
                guard let cookie = Cookie(line, from: url, at: date) else { continue }
                try check(cookie, from: url)
            }
            let jar = CookieJar()
            jar.store(lines, from: url, at: date, afterSafe: true)
            let count = jar.cookies.count
            try expect(count <= CookieStore.maximumPerDomain * 3, "a host has few domains")
            let sent = jar.cookies(for: url, at: date)
            let lengths = sent.map(\.path.utf8.count)
            try expect(lengths, is: lengths.sorted(by: >), "longer paths come first")
            let field = sent.map(\.pair).joined(separator: "; ")
            try expect(field.isFieldValue, "the field can be sent")
        }
    }

    private static func check(_ cookie: Cookie, from url: CookieURL) throws {
        try expect(CookieMatch.domain(cookie.domain, has: url.host), "the domain is the host's")
        try expect(cookie.isHostOnly || !PublicSuffixes.contains(cookie.domain), "no suffix")
        try expect(cookie.path.utf8.first == UInt8(ascii: "/"), "the path begins with a slash")
        try expect(!cookie.isSecure || url.isSecure, "secure cookies come over secure connections")
        try expect(cookie.name.utf8.count + cookie.value.utf8.count <= 4096, "a cookie is short")
        let latest = date.addingTimeInterval(Cookie.maximumAge)
        try expect(cookie.expires.map { $0 <= latest } ?? true, "a cookie is kept for 400 days")
        var field = "\(cookie.name)=\(cookie.value); Path=\(cookie.path)"
        if !cookie.isHostOnly { field += "; Domain=\(cookie.domain)" }
        if cookie.isSecure { field += "; Secure" }
        if cookie.isHTTPOnly { field += "; HttpOnly" }
        if let sameSite = cookie.sameSite { field += "; SameSite=\(sameSite.rawValue)" }
        guard let again = Cookie(field, from: url, at: date) else {
            throw Finding("what is written reads back: \(field)")
        }
        try expect(again.pair, is: cookie.pair, "name and value read back")
        try expect(again.domain, is: cookie.domain, "the domain reads back")
        try expect(again.path, is: cookie.path, "the path reads back")
        try expect(again.sameSite, is: cookie.sameSite, "the site reads back")
    }

    /// A date reads back as it is written, and is the one that HTTP reads.
    static func date(_ input: FuzzInput) throws {
        guard let date = CookieDate.parse(input.text) else { return }
        guard let written = HTTPDate.text(of: date) else { throw Finding("no year of four digits") }
        try expect(CookieDate.parse(written), is: date, "what is written reads back")
        try expect(HTTPDate.parse(written), is: date, "HTTP reads the same")
    }

    /// What a file holds reads back as it is written, and is what fields can set.
    static func file(_ input: FuzzInput) throws {
        guard let entries = CookieDocument.content(of: input.data, at: date)?.entries else {
            return
        }
        let written = try CookieDocument(entries).data()
        let again = CookieDocument.content(of: written, at: date)?.entries
        try expect(again, is: entries, "what is written reads back")
        let changes = CookieStore.Changes(kept: entries)
        let appended = try CookieDocument([]).data() + CookieDocument.data(of: changes)
        let changed = CookieDocument.content(of: appended, at: date)?.entries
        try expect(changed, is: entries, "what is appended reads back")
        var store = CookieStore()
        store.insert(entries, at: date)
        for cookie in store.entries.map(\.cookie) {
            try expect(cookie.pair.isFieldValue && !cookie.pair.isEmpty, "a cookie can be sent")
            try expect(!cookie.hasExpired(at: date), "a cookie has yet to expire")
        }
        try expect(store.entries.count <= CookieStore.maximum, "a jar is bounded")
    }
}
