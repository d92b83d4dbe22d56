import Foundation
@testable import NetKit
@testable import NetKitHAR
import NetKitSupport
import Testing

@Suite("HAR entries")
struct HARExchangeTests {
    private func exchange(
        _ url: String = "https://a.example/x?page=1&access_token=s3cret&q=a+b%20c",
        _ method: HTTPMethod = .post,
        headers: HTTPHeaders = [:],
        body: BodySource? = nil,
        response: (ResponseHead, Data)? = (ResponseHead(status: 200), Data()),
        streamed: Int64? = nil,
        failure: String? = nil,
        cache: CacheOutcome = .none
    ) throws -> ObservedExchange {
        let request = EncodedRequest(
            url: try #require(URL(string: url)),
            method: method,
            headers: headers,
            body: body
        )
        return ObservedExchange(
            callID: 1,
            requestName: "T",
            attempt: 1,
            request: request,
            response: response.map { HTTPResponse(to: request, $0, body: $1) },
            streamedLength: streamed,
            failure: failure,
            start: Date(timeIntervalSince1970: 1),
            duration: .milliseconds(60),
            phases: ExchangePhases(
                queue: .milliseconds(10),
                head: response == nil ? nil : .microseconds(20_500),
                body: response == nil ? nil : .milliseconds(5)
            ),
            cacheOutcome: cache
        )
    }

    /// Shows what the tests record.
    private let whole = Redaction(
        showsFields: true,
        wholeBodies: ["text/html", "text/plain", "image/png", .binary]
    )

    @Test("omits bodies that aren't shown or can't be redacted, with a note")
    func unreadable() throws {
        let exchange = try exchange(
            headers: [.contentType: "application/json"],
            body: BodySource(Data("{s3cret".utf8)),
            response: (
                ResponseHead(status: 200, headers: [.contentType: "text/xml"]), Data("s3cret".utf8)
            )
        )
        let entry = HAR.Entry(exchange, redacting: Redaction(showsFields: true))
        #expect(HAR.Entry(exchange).response.content.comment == entry.response.content.comment)
        let end = ": not shown by the redaction"
        #expect(entry.request.postData?.text == "")
        #expect(entry.request.postData?.isTruncated == true)
        #expect(
            entry.request.postData?.comment == "‹redacted: application/json, 7 bytes›\(end)"
        )
        #expect(entry.response.content.text == "")
        #expect(entry.response.content.isTruncated)
        #expect(entry.response.content.comment == "‹redacted: text/xml, 6 bytes›\(end)")
        #expect(entry.response.content.size == 6)
        let all = HAR.Entry(exchange, redacting: .none)
        #expect(all.response.content.text == "s3cret" && !all.response.content.isTruncated)
    }

    @Test("omits the body of a request that is encoded, such as gzip, with a note")
    func encoded() throws {
        let exchange = try exchange(
            headers: [
                .contentType: "application/x-www-form-urlencoded", .contentEncoding: "gzip",
            ],
            body: BodySource(Data("name=s3cret".utf8))
        )
        let data = try #require(
            HAR.Entry(exchange, redacting: Redaction(showsFields: true)).request.postData
        )
        #expect(data.mimeType == "application/x-www-form-urlencoded")
        #expect(data.text == "")
        #expect(data.params == nil)
        #expect(data.comment?.hasPrefix("‹redacted: application/gzip, 11 bytes›") == true)
    }

    @Test("records the request and the response")
    func contents() throws {
        let entry = HAR.Entry(
            try exchange(
                headers: [.contentType: "application/json", "X-Request-ID": "1"],
                body: BodySource(Data(#"{"a":"ü"}"#.utf8)),
                response: (
                    ResponseHead(
                        status: 302,
                        headers: [.location: "/y?token=s3cret", .contentType: "text/html"]
                    ),
                    Data("hello".utf8)
                )
            ),
            redacting: whole
        )
        #expect(entry.request.method == "POST")
        #expect(entry.request.url == "https://a.example/x?page=1&access_token=redacted&q=a+b%20c")
        #expect(
            entry.request.queryString.map { [$0.name, $0.value] }
                == [["page", "1"], ["access_token", "redacted"], ["q", "a b c"]]
        )
        #expect(entry.request.headers.contains(HAR.Field("X-Request-ID", "1")))
        #expect(entry.request.postData?.text == #"{"a":"ü"}"#)
        #expect(entry.request.bodySize == 10)
        #expect(entry.response.status == 302)
        #expect(entry.response.statusText == "Found")
        #expect(entry.response.redirectURL == "/y?token=redacted")
        #expect(entry.response.content.text == "hello")
        #expect(entry.response.bodySize == 5)
        #expect(entry.start == Date(timeIntervalSince1970: 1))
        #expect(entry.timings.blocked == 10)
        #expect(entry.timings.wait == 20.5)
        #expect(entry.timings.receive == 5)
        #expect(entry.time == 35.5)
    }

    @Test(
        "reads the cookie of any Set-Cookie field",
        arguments: [
            "\u{1F600}\u{1F600}=x", "a=1; \u{1F600}\u{1F600}=x", "e\u{301}e\u{301}=1", "none",
        ]
    )
    func cookies(field: String) throws {
        let url = try #require(URL(string: "http://h.test/x"))
        let cookie = HAR.Cookie(ofResponse: field, from: url)
        #expect((cookie == nil) == (field == "none"))
        #expect(cookie?.name == field.split(separator: "=").first.map(String.init) || cookie == nil)
        let whole = HAR.Cookie(ofResponse: "a=1; Path=/p; Domain=test; Secure; HttpOnly", from: url)
        #expect(whole?.path == "/p" && whole?.domain == "test")
        #expect(whole?.secure == true && whole?.httpOnly == true)
        #expect(HAR.Cookie(ofResponse: "a=1", from: url)?.path == nil)
    }

    @Test("redacts secrets everywhere, and the request's own redactions")
    func secrets() throws {
        let form = "user=ann&password=s3cret&number=4711"
        var hidden = try exchange(
            headers: [
                .authorization: "Bearer s3cret", .cookie: "sid=s3cret", "X-Custom": "s3cret",
                .contentType: "application/x-www-form-urlencoded",
            ],
            body: BodySource(Data(form.utf8)),
            response: (
                ResponseHead(
                    status: 200,
                    headers: [.setCookie: "sid=s3cret", .contentType: "application/json"]
                ),
                Data(#"{"access_token":"s3cret","id":1}"#.utf8)
            )
        )
        var request = hidden.request
        request.redaction = Redaction(
            headers: ["X-Custom"],
            bodyFields: ["number"],
            showsFields: true
        )
        hidden = ObservedExchange(
            callID: 1,
            requestName: "T",
            attempt: 1,
            request: request,
            response: hidden.response,
            failure: nil,
            start: hidden.start,
            duration: hidden.duration,
            phases: hidden.phases
        )
        let text = String(decoding: try HAR(entries: [HAR.Entry(hidden)]).data(), as: UTF8.self)
        #expect(!text.contains("s3cret"))
        #expect(!text.contains("4711"))
        #expect(text.contains(#""value" : "ann""#))
        #expect(text.contains(#"\"id\":1"#))

        let shown = HAR.Entry(hidden, redacting: .none)
        #expect(shown.request.cookies == [HAR.Cookie(name: "sid", value: "s3cret")])
        #expect(shown.response.cookies.first?.value == "s3cret")
        #expect(shown.request.postData?.params?.last?.value == "4711")
        #expect(shown.request.postData?.text == nil)
    }

    @Test("encodes binary data in base64")
    func bytes() throws {
        let entry = HAR.Entry(
            try exchange(
                body: BodySource(Data([0xFF, 0])),
                response: (
                    ResponseHead(
                        status: 200,
                        headers: [.contentType: "image/png", .contentEncoding: "gzip"]
                    ),
                    Data([0, 1, 0xFE])
                )
            ),
            redacting: whole
        )
        #expect(entry.request.postData?.encoding == "base64")
        #expect(entry.request.postData?.data == Data([0xFF, 0]))
        #expect(entry.response.content.text == "AAH+")
        #expect(entry.response.content.encoding == "base64")
        #expect(entry.response.content.size == 3)
        #expect(entry.response.bodySize == -1)
    }

    @Test(
        "truncates a body at the limit, with a note",
        arguments: [(0, ""), (1, "a"), (2, "a"), (3, "aü"), (4, "aüb"), (5, "aüb")]
    )
    func limits(limit: Int, kept: String) throws {
        let body = Data("aüb".utf8)
        let entry = HAR.Entry(
            try exchange(body: BodySource(body), response: (ResponseHead(status: 200), body)),
            redacting: whole,
            bodyLimit: limit
        )
        #expect(entry.response.content.text == kept)
        #expect(entry.request.postData?.text == kept)
        #expect(entry.response.content.size == 4)
        #expect(entry.request.bodySize == 4)
        #expect(entry.response.content.isTruncated == (limit < 4))
        #expect((entry.response.content.comment != nil) == (limit < 4))
    }

    @Test("reads a file up to the limit, and omits a missing one")
    func fileBodies() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try Data("12345".utf8).write(to: file)
        let source = try BodyEncoder.encode(.file(file)).source
        let sent = try exchange(headers: [.contentType: "text/plain"], body: source)
        #expect(HAR.Entry(sent, redacting: whole).request.postData?.text == "12345")
        let hidden = HAR.Entry(sent).request.postData
        #expect(hidden?.text == nil && hidden?.isTruncated == true)
        #expect(
            hidden?.comment == "‹redacted: text/plain, 5 bytes›: not shown by the redaction"
        )
        let small = HAR.Entry(sent, redacting: whole, bodyLimit: 4).request.postData
        #expect(small?.text == nil)
        #expect(small?.comment == "the body of 5 bytes was left out")
        try FileManager.default.removeItem(at: file)
        #expect(HAR.Entry(sent, redacting: whole).request.postData?.isTruncated == true)
        #expect(HAR.Entry(sent, redacting: whole).request.bodySize == 5)
    }

    @Test("doesn't read a body again that it doesn't show")
    func unreadBody() throws {
        let isOpened = Locked(false)
        let body = BodySource(length: 5) {
            isOpened.withLock { $0 = true }
            return DataReader(Data("12345".utf8))
        }
        let sent = try exchange(headers: [.contentType: "text/plain"], body: body)
        #expect(HAR.Entry(sent).request.bodySize == 5)
        #expect(!isOpened.withLock { $0 })
        #expect(HAR.Entry(sent, redacting: whole).request.postData?.text == "12345")
    }

    @Test("records the reason for a missing response")
    func failures() throws {
        let entry = HAR.Entry(try exchange(response: nil, failure: "the connection was lost"))
        #expect(entry.response.status == 0)
        #expect(entry.response.error == "the connection was lost")
        #expect(entry.timings.wait == 50)
        #expect(entry.timings.receive == 0)
        #expect(entry.time == 60)
    }

    @Test("notes a download's missing body", arguments: [0, 7] as [Int64])
    func downloads(length: Int64) throws {
        let chunked = ResponseHead(status: 200, headers: [.transferEncoding: "chunked"])
        let entry = HAR.Entry(try exchange(response: (chunked, Data()), streamed: length))
        let content = entry.response.content
        #expect(content.size == Int(length))
        #expect(entry.response.bodySize == Int(length))
        #expect(content.isTruncated == (length > 0))
        #expect((content.comment?.contains("left out") == true) == (length > 0))
        let encoded = ResponseHead(status: 200, headers: [.contentEncoding: "gzip"])
        let other = HAR.Entry(try exchange(response: (encoded, Data()), streamed: length))
        #expect(other.response.bodySize == -1)
        // What is stored wasn't received.
        let stored = try exchange(response: (chunked, Data()), streamed: length, cache: .hit)
        let hit = HAR.Entry(stored).response
        #expect(hit.bodySize == 0 && hit.content.size == Int(length))
    }

    @Test(
        "adds no note for a response without a body",
        arguments: [200, 204, 205, 304, 302, 404, 500] as [HTTPStatus],
        [[.contentLength: "7"], [.transferEncoding: "chunked"], [:]] as [HTTPHeaders]
    )
    func bodiless(status: HTTPStatus, headers: HTTPHeaders) throws {
        let head = ResponseHead(status: status, headers: headers)
        let content = HAR.Entry(try exchange(response: (head, Data()))).response.content
        #expect(!content.isTruncated)
        #expect(content.comment == nil)
        #expect(content.size == 0)
    }

    @Test(
        "reads dates of any spelling, to the millisecond",
        arguments: [
            ("2024-02-29T12:30:00Z", 1_709_209_800), ("2024-02-29T12:30:00.5Z", 1_709_209_800.5),
            ("2024-02-29T12:30:00.1234567+01:00", 1_709_206_200.123),
            ("2024-02-29T12:30:00", 1_709_209_800), ("2024-02-29T12:30:00.-", nil),
            ("2024-13-01T12:30:00Z", nil), ("", nil), (".", nil),
        ] as [(String, Double?)]
    )
    func dates(text: String, seconds: Double?) {
        #expect(HARDate(text)?.date.timeIntervalSince1970 == seconds)
    }
}

@Suite("Addresses of peers in HAR files")
struct HARAddressTests {
    @Test(
        "know the address of the peer without its port",
        arguments: [
            ("127.0.0.1:8443", "127.0.0.1"), ("[::1]:80", "::1"), ("localhost", nil), (nil, nil),
        ]
    )
    func numericHost(address: String?, host: String?) {
        #expect(ConnectionFacts(remoteAddress: address).numericHost == host)
    }
}

extension HAR.Entry {
    /// Creates an entry for an exchange whose body arrived in an unknown way.
    fileprivate init(
        _ exchange: ObservedExchange,
        redacting redaction: Redaction = .secrets,
        bodyLimit: Int = .max
    ) {
        self.init(exchange, redacting: redaction, bodyLimit: bodyLimit, received: nil)
    }
}
