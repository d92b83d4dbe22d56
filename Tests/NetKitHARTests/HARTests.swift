@testable import NetKitHAR
import Foundation
import NetKit
import Testing

@Suite("HAR files")
struct HARTests {
    /// As Firefox, Chrome and Fiddler write them: null sizes, no cache, decimals of all lengths.
    private let foreign = #"""
        {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "128.0"},
          "browser": {"name": "Firefox", "version": "128.0"},
          "pages": [{"startedDateTime": "2024-02-29T12:30:00.250+01:00", "id": "page_1",
            "title": "t", "pageTimings": {"onContentLoad": 12, "onLoad": 20.5}}],
          "_extra": 1,
          "entries": [{"pageref": "page_1", "startedDateTime": "2024-02-29T11:30:00.1234567Z",
            "_initiator": {"type": "script"}, "time": 12.5,
            "request": {"method": "GET", "url": "https://a.example/?q=1", "httpVersion": "h2",
              "headers": [{"name": "Accept", "value": "*/*"}], "headersSize": -1},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "h2",
              "headers": [], "content": {"size": 3, "mimeType": "text/plain", "text": "YWJj",
              "encoding": "base64"}, "redirectURL": "", "bodySize": null, "_error": null},
            "timings": {"blocked": -1, "send": 0, "wait": 12, "receive": 0.5}}]}}
        """#

    @Test("redacts only the beginning of a body beyond the limit")
    func beginning() {
        // Nothing would be shown of it if all of it were read: it has one bracket too many.
        let text = #"{"a":"\#(String(repeating: "b", count: 20_000))","token":"x"}}"#
        let redaction = Redaction(showsFields: true)
        let type = "application/json"
        let recorded = HARText(Data(text.utf8), type: type, redaction, limit: 100, of: nil)
        #expect(recorded.text == text.prefix(100))
    }

    @Test("reads a browser's log")
    func foreignFiles() throws {
        let har = try HAR(data: Data([0xEF, 0xBB, 0xBF]) + Data(foreign.utf8))
        #expect(har.creator.name == "Firefox")
        #expect(har.pages?.first?.pageTimings.onLoad == 20.5)
        #expect(har.pages?.first?.start == Date(timeIntervalSince1970: 1_709_206_200.25))
        let entry = try #require(har.entries.first)
        #expect(entry.start == Date(timeIntervalSince1970: 1_709_206_200.123))
        #expect(entry.request.cookies.isEmpty)
        #expect(entry.response.content.data == Data("abc".utf8))
        #expect(entry.response.bodySize == -1)
        #expect(entry.timings.sum == 12.5)
    }

    @Test("round-trips through its encoding")
    func roundTrip() throws {
        let har = try HAR(data: Data(foreign.utf8))
        let data = try har.data()
        #expect(try HAR(data: data) == har)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""startedDateTime" : "2024-02-29T11:30:00.123Z""#))
        #expect(!text.contains("_truncated"))
        #expect(text.contains(#""url" : "https://a.example/?q=1""#))
        let members = ["creator", "entries", "cache", "request", "startedDateTime", "pages"]
        let places = members.compactMap { text.firstRange(of: "\"\($0)\" :")?.lowerBound }
        #expect(places.count == members.count && places == places.sorted())
    }

    /// Every member of the format, and those of NetKit's own.
    private let everything = #"""
        {"log": {"version": "1.2", "creator": {"name": "a", "version": "1", "comment": "c1"},
          "browser": {"name": "b", "version": "2", "comment": "c2"}, "comment": "c3",
          "pages": [{"startedDateTime": "2024-02-29T11:30:00.250Z", "id": "p", "title": "t",
            "pageTimings": {"onContentLoad": 12, "onLoad": 20.5, "comment": "c4"}, "comment": "c5"}],
          "entries": [{"pageref": "p", "startedDateTime": "2024-02-29T11:30:00.123Z", "time": 21,
            "serverIPAddress": "::1", "connection": "7", "comment": "c6",
            "request": {"method": "POST", "url": "https://h/?q=1", "httpVersion": "h2",
              "cookies": [{"name": "c", "value": "1", "path": "/", "domain": "h", "comment": "c7",
                "expires": "2024-02-29T11:30:00Z", "httpOnly": true, "secure": false}],
              "headers": [{"name": "A", "value": "b", "comment": "c8"}],
              "queryString": [{"name": "q", "value": "1", "comment": "c9"}],
              "postData": {"mimeType": "m/f", "text": "YQ==", "_encoding": "base64", "_truncated": true,
                "comment": "c10", "params": [{"name": "f", "value": "v", "fileName": "n",
                  "contentType": "a/b", "comment": "c11"}]},
              "headersSize": 9, "bodySize": 8, "comment": "c12"},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "h2", "redirectURL": "/x",
              "cookies": [{"name": "d", "value": "2"}], "headers": [{"name": "B", "value": "c"}],
              "content": {"size": 3, "compression": 1, "mimeType": "a/b", "text": "YWJj",
                "encoding": "base64", "_truncated": true, "comment": "c13"},
              "headersSize": 7, "bodySize": 6, "comment": "c14", "_error": "cut off"},
            "cache": {"comment": "c15",
              "beforeRequest": {"expires": "e", "lastAccess": "l", "eTag": "t", "hitCount": 3, "comment": "c16"},
              "afterRequest": {"lastAccess": "m", "eTag": "u", "hitCount": 4}},
            "timings": {"blocked": 1, "dns": 2, "connect": 3, "send": 4, "wait": 5, "receive": 6, "ssl": 2.5,
              "comment": "c17"}}]}}
        """#

    @Test("keeps every member of the format")
    func members() throws {
        let har = try HAR(data: Data(everything.utf8))
        func json(_ data: Data) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: data)
        }
        #expect(try json(har.data()) == json(Data(everything.utf8)))
        let entry = try #require(har.entries.first)
        #expect(entry.timings.sum == 21)
        #expect(entry.request.postData?.data == Data("a".utf8))
        #expect(entry.response.content.data == Data("abc".utf8))
        #expect(entry.cache.beforeRequest?.hitCount == 3)
        #expect(entry.cache.afterRequest?.expires == nil)
        #expect(har.pages?.first?.start == Date(timeIntervalSince1970: 1_709_206_200.25))
    }

    @Test("reads what Firefox writes about the cache of a 304")
    func firefoxCache() throws {
        let state = #""afterRequest": {"expires": "", "eTag": "", "fetchCount": "3"}"#
        let text = everything.replacing(
            #""afterRequest": {"lastAccess": "m", "eTag": "u", "hitCount": 4}"#,
            with: state
        )
        let entry = try #require(HAR(data: Data(text.utf8)).entries.first)
        #expect(entry.cache.afterRequest?.expires == "")
        #expect(entry.cache.afterRequest?.hitCount == nil)
    }

    @Test(
        "needs the members that have no default",
        arguments: [
            (#""url": "https://h/?q=1","#, #"request: "url" is missing"#),
            (#""status": 200,"#, #"response: "status" is missing"#),
            (#""title": "t","#, #"pages[0]: "title" is missing"#),
            (#""value": "2""#, #"cookies[0]: "value" is missing"#),
        ]
    )
    func required(member: String, complaint: String) {
        // What is left of the object is valid JSON.
        let rest = member.hasSuffix(",") ? "" : #""x": 1"#
        let text = everything.replacing(member, with: rest)
        let failure = #expect(throws: HARError.self) { try HAR(data: Data(text.utf8)) }
        #expect(failure?.reason.hasSuffix(complaint) == true, "\(String(describing: failure))")
    }

    @Test(
        "assumes the defaults of members that other programs omit",
        arguments: ["", #", "content": {}"#]
    )
    func defaults(content: String) throws {
        let text = #"""
            {"log": {"creator": {"name": "a", "version": "1"}, "entries": [
              {"startedDateTime": "2024-02-29T11:30:00", "request": {"method": "GET", "url": "/"},
               "response": {"status": 0\#(content)}}
            ]}}
            """#
        let har = try HAR(data: Data(text.utf8))
        #expect(har.version == "1.1")
        let entry = try #require(har.entries.first)
        #expect(entry.start == Date(timeIntervalSince1970: 1_709_206_200))
        #expect(entry.time == 0 && entry.timings.sum == 0)
        #expect(entry.request.httpVersion == "unknown" && entry.response.httpVersion == "unknown")
        #expect(entry.request.headersSize == -1 && entry.request.bodySize == -1)
        #expect(entry.response.headersSize == -1 && entry.response.bodySize == -1)
        #expect(entry.response.statusText == "" && entry.response.redirectURL == "")
        #expect(entry.response.content.size == 0 && entry.response.content.mimeType == "x-unknown")
        #expect(!entry.response.content.isTruncated && entry.response.content.data == nil)
        #expect(entry.cache.beforeRequest == nil && entry.cache.afterRequest == nil)
    }

    @Test("names NetKit as its creator, with the version of the User-Agent")
    func creator() {
        let creator = HAR().creator
        #expect("\(creator.name)/\(creator.version)" == UserAgent.standard)
    }

    @Test("has up to 1 MiB of each body by default")
    func bodyLimit() {
        #expect(HARRecorder().bodyLimit == 1 << 20 && HARRecorder(bodyLimit: -1).bodyLimit == 0)
    }

    @Test("writes to a file and reads it back")
    func files() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let har = try HAR(data: Data(foreign.utf8))
        try har.write(to: file)
        #expect(try HAR(contentsOf: file) == har)
    }

    @Test(
        "names the location of a mistake",
        arguments: [
            ("", "not a HAR file"),
            ("[]", "not a HAR file"),
            (
                #"{"log": {"creator": {"name": "a", "version": "1"}}}"#,
                "log: \"entries\" is missing"
            ),
            (
                #"{"log": {"creator": {"name": "a", "version": "1"}, "entries": [{}]}}"#,
                "log.entries[0]: \"startedDateTime\" is missing"
            ),
            (
                """
                {"log": {"creator": {"name": "a", "version": "1"}, "entries": [
                  {"startedDateTime": "yesterday"}]}}
                """,
                "log.entries[0].startedDateTime: not a date"
            ),
        ]
    )
    func broken(text: String, complaint: String) {
        let failure = #expect(throws: HARError.self) { try HAR(data: Data(text.utf8)) }
        #expect(failure?.kind == .invalid)
        #expect(failure?.description.contains(complaint) == true, "\(String(describing: failure))")
    }

    @Test(
        "fails for a missing file, a missing folder and an infinite time"
    )
    func failures() throws {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/a.har")
        var failure = #expect(throws: HARError.self) { try HAR(contentsOf: nowhere) }
        #expect(failure?.kind == .unreadable)
        #expect(failure?.reason.contains(nowhere.path) == true)
        failure = #expect(throws: HARError.self) { try HAR().write(to: nowhere) }
        #expect(failure?.kind == .unwritable)
        var har = try HAR(data: Data(foreign.utf8))
        har.entries[0].time = .nan
        failure = #expect(throws: HARError.self) { try har.data() }
        #expect(failure?.reason.contains("entries[0].time") == true)
    }
}
