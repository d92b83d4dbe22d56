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
