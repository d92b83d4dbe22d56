import Foundation
import NetKit
import NetKitHAR
import NetKitTesting
import Testing

private struct AccountRequest: Request {
    typealias ResponseObjectType = String
    let path = "balance"
    let method: HTTPMethod = .post
    var redaction: Redaction?
    let queryParams: [(String, String)]
    let body: RequestBody?

    init(_ account: String, redaction: Redaction?) {
        self.redaction = redaction
        queryParams = [("account", account), ("year", "2026")]
        body = .encodable(["holder": account, "kind": "private"])
    }
}

@Suite("Matching requests to recorded entries", .timeLimit(.minutes(15)))
struct ReplayedRequestTests {
    private static let modes: [@Sendable (StubTransport) -> ReplayTransport.Mode] = [
        { _ in .strict }, { _ in .lenient }, { .recordMissing($0) },
    ]

    /// A transport that nothing is to be sent over.
    private let unused = StubTransport()

    private func log(_ url: String, _ body: HAR.PostData, answer: String) throws -> HAR {
        var request = HAR.Request(method: "POST", url: url)
        request.postData = body
        request.bodySize = -1
        var content = HAR.Content(size: answer.utf8.count, mimeType: "text/plain")
        content.text = answer
        return HAR(entries: [
            HAR.Entry(
                start: Date(),
                request: request,
                response: HAR.Response(status: 200, content: content),
                timings: HAR.Timings(wait: 0, receive: 0)
            )
        ])
    }

    private func login(_ password: String, user: String = "ann & bob") -> TextRequest {
        TextRequest(
            path: "login",
            method: .post,
            body: .form([("user", user), ("password", password), ("q", "a+b=c")])
        )
    }

    @Test("matches a form whose recorded secrets aren't redacted", arguments: 0..<3)
    func forms(mode: Int) async throws {
        let stub = StubTransport()
        stub.on(.post, "/login") { _ in .text("in") }
        let recorder = HARRecorder(redaction: .none)
        let recording = RecordingTransport(wrapping: stub, to: recorder)
        _ = try await endpoint(over: recording).value(for: login("real"))
        let har = try HAR(data: recorder.har.data())
        #expect(har.entries.first?.request.postData?.params?[1].value == "real")
        let replay = ReplayTransport(har, mode: Self.modes[mode](unused))
        #expect(try await endpoint(over: replay).value(for: login("another")) == "in")
        #expect(replay.unusedRequests.isEmpty)
    }

    @Test("matches form parameters recorded by other tools, and only those")
    func params() async throws {
        var body = HAR.PostData(mimeType: "application/x-www-form-urlencoded")
        body.params = [
            HAR.Param(name: "user", value: "ann & bob"), HAR.Param(name: "password", value: "x"),
            HAR.Param(name: "q", value: "a+b=c"),
        ]
        let har = try log("https://nest.invalid/login", body, answer: "in")
        let replay = try endpoint(over: ReplayTransport(har))
        let error = await replay.transportError(of: login("x", user: "eve"))
        #expect((error?.underlying as? ReplayFailure)?.reason == .bodyMismatch)
        #expect(try await replay.value(for: login("another")) == "in")
    }

    @Test(
        "ignores values redacted by the request or endpoint, even when a browser recorded them",
        arguments: 0..<3,
        [true, false]
    )
    func ownRedaction(mode: Int, isRequests: Bool) async throws {
        let hidden = Redaction(headers: [], queryNames: ["account"], bodyFields: ["holder"])
        var body = HAR.PostData(mimeType: "application/json")
        body.text = #"{"kind": "private", "holder": "123"}"#
        let url = "https://nest.invalid/balance?account=123&year=2026"
        let har = try log(url, body, answer: "10")
        let replay = ReplayTransport(har, mode: Self.modes[mode](unused))
        let endpoint = try endpoint(over: replay)
        if !isRequests { endpoint.redaction = hidden }
        let request = AccountRequest("456", redaction: isRequests ? hidden : nil)
        #expect(try await endpoint.value(for: request) == "10")
        #expect(replay.unusedRequests.isEmpty)
    }

    @Test("compares values that aren't redacted")
    func shown() async throws {
        var body = HAR.PostData(mimeType: "application/json")
        body.text = #"{"kind": "private", "holder": "123"}"#
        let url = "https://nest.invalid/balance?account=123&year=2026"
        let replay = try ReplayTransport(log(url, body, answer: "10"))
        let error = try await endpoint(over: replay)
            .value(for: AccountRequest("123", redaction: nil))
        #expect(error == "10")
        let other = ReplayTransport(try log(url, body, answer: "10"))
        let unlike = try await endpoint(over: other)
            .transportError(of: AccountRequest("456", redaction: nil))
        #expect(unlike?.underlying is ReplayFailure)
    }
}
