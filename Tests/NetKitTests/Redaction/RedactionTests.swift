import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Redaction")
struct RedactionTests {
    private let fields: HTTPHeaders = {
        var fields: HTTPHeaders = [
            "Accept": "a", "Authorization": "b", "X-Api-Key": "c", "Set-Cookie": "d",
            "X-Custom": "f",
        ]
        fields.set("X-Marked", to: "e", isSensitive: true)
        return fields
    }()

    private func shown(_ redaction: Redaction) -> [String: String] {
        var shown: [String: String] = [:]
        for (name, value) in fields {
            shown[name.rawName] = redaction.shown(value, of: name, in: fields)
        }
        return shown
    }

    @Test("shows only harmless fields and those it names, never marked ones and credentials")
    func secrets() {
        let mark = "‹redacted›"
        #expect(
            shown(.secrets) == [
                "Accept": "a", "Authorization": mark, "X-Api-Key": mark, "Set-Cookie": mark,
                "X-Marked": mark, "X-Custom": mark,
            ]
        )
        #expect(shown(Redaction(headers: ["accept"])).values.allSatisfy { $0 == mark })
        let all = Set(fields.map(\.name))
        #expect(
            shown(Redaction(headers: ["ACCEPT"], shownHeaders: all)) == [
                "Accept": mark, "Authorization": mark, "X-Api-Key": "c", "Set-Cookie": mark,
                "X-Marked": mark, "X-Custom": "f",
            ]
        )
    }

    @Test("shows everything on request")
    func none() throws {
        #expect(shown(.none) == fields.dictionary)
        let url = try #require(URL(string: "https://u:p@h/p?token=1#f"))
        #expect(Redaction.none.shown(url) == "https://u:p@h/p?token=1#f")
    }

    @Test(
        "redacts a URL's user, fragment and secret query values",
        arguments: [
            ("https://h/p?a=1&b=2", "https://h/p?a=1&b=2"), ("https://h/p?", "https://h/p?"),
            ("https://u:p@h/p", "https://h/p"), ("https://u:p@h?q=@", "https://h?q=@"),
            ("https://h/p@q", "https://h/p@q"), ("https://h/p#access_token=x", "https://h/p"),
            ("https://h/?access_token=x&b=1", "https://h/?access_token=redacted&b=1"),
            ("https://h/?apiKey=x&API_KEY=y", "https://h/?apiKey=redacted&API_KEY=redacted"),
            ("https://h/?api%5Fkey=x", "https://h/?api%5Fkey=redacted"),
            ("https://h/?code=x&key=y&sig=z", "https://h/?code=redacted&key=redacted&sig=redacted"),
            ("https://h/?ticket=x&hash=y", "https://h/?ticket=redacted&hash=redacted"),
            ("https://h/?hmac=x&%2574oken=y", "https://h/?hmac=redacted&%2574oken=redacted"),
            ("https://h/p;%2574oken=y", "https://h/p;%2574oken=redacted"),
            (
                "https://h/?postcode=x&keyword=y&author=z",
                "https://h/?postcode=x&keyword=y&author=z"
            ),
            ("https://h/?X-Amz-Signature=x", "https://h/?X-Amz-Signature=redacted"),
            ("https://h/?password=a%26b&c&&d=", "https://h/?password=redacted&c&&d="),
            ("https://h/?mine=x&MINE=y", "https://h/?mine=redacted&MINE=redacted"),
            (
                "https://h/?a%5Bmine%5D=x&mine.b=y",
                "https://h/?a%5Bmine%5D=redacted&mine.b=redacted"
            ),
            ("https://h/?a%5Bmines%5D=x&mine-a=y", "https://h/?a%5Bmines%5D=x&mine-a=y"),
            ("https://h/?token=a#b", "https://h/?token=redacted"),
        ]
    )
    func urls(text: String, shown: String) throws {
        let url = try #require(URL(string: text))
        let redaction = Redaction(headers: [], queryNames: ["Mine"])
        #expect(redaction.shown(url) == shown)
        if !text.contains("mine") { #expect(Redaction.secrets.shown(url) == shown) }
    }

    @Test("knows the names that are secret only in a query")
    func queryNames() {
        for name in ["code", "key", "sid", "ticket", "hash", "CODE", "Key", "urlHash"] {
            #expect(Redaction.secrets.rules.hides(queryName: ArraySlice(name.utf8)))
            #expect(!Redaction.secrets.rules.hides(bodyField: ArraySlice(name.utf8)))
            #expect(!Redaction.none.rules.hides(queryName: ArraySlice(name.utf8)))
            #expect(!Redaction.none.rules.hides(bodyField: ArraySlice(name.utf8)))
        }
        for name in ["codes", "cod", "keys", "xkey", "si", "hashtag", "rehash", ""] {
            #expect(!Redaction.secrets.rules.hides(queryName: ArraySlice(name.utf8)))
        }
    }
}
