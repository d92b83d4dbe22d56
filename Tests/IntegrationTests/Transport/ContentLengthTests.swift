import Foundation
import NetKit
import NetKitTesting
import Testing

/// On Linux a body is a stream to URLSession, which by itself would send it in chunks.
@Suite(
    "Content-Length and bytes of a body with a known length",
    .timeLimit(.minutes(15))
)
struct ContentLengthTests {
    private let server: MockServer
    private let endpoint: Endpoint
    private let folder: UploadFolder

    init() throws {
        server = try MockServer()
        server.route("GET", "/warm") { _ in .text("warm") }
        server.route("POST", "/post") { _ in .text("posted") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.retryPolicy.backoff = .none
        folder = try UploadFolder()
    }

    @Test("is the same on a fresh connection and on every reuse", arguments: KnownBody.all)
    func keptConnection(body: KnownBody) async throws {
        for _ in 0..<3 { try await post(body) }
        try check(server.requests, body)
        #expect(server.requests.map(\.connectionID) == [1, 1, 1])
        #expect(server.requests.map(\.indexOnConnection) == [0, 1, 2])
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test(
        "is the same after redirects to the same and to another origin",
        arguments: KnownBody.all,
        [307, 308]
    )
    func redirects(body: KnownBody, status: Int) async throws {
        let other = try MockServer()
        other.route("POST", "/end") { _ in .text("posted") }
        let away = other.url("/end").absoluteString
        server.enqueue(
            .redirect(to: "/next", status: status),
            .redirect(to: away, status: status)
        )
        try await post(body)
        #expect(server.requests.map(\.path) == ["/post", "/next"])
        let sends = server.requests + other.requests
        #expect(sends.count == 3)
        try check(sends, body)
        #expect(Set(sends.map(\.body)).count == 1)
    }

    @Test(
        "is the same after a 503, with or without a closed connection",
        arguments: KnownBody.all,
        [false, true]
    )
    func retries(body: KnownBody, isClosing: Bool) async throws {
        let busy = MockResponse.text("busy", status: 503)
        server.enqueue(isClosing ? busy.closingConnection() : busy)
        try await post(body, retries: 1)
        #expect(server.requests.count == 2)
        // Without the closing too, URLSession may not have put the first one back yet.
        #expect(!isClosing || server.requests.map(\.connectionID) == [1, 2])
        try check(server.requests, body)
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test(
        "is the same after the server closed an idle connection",
        arguments: KnownBody.all
    )
    func idleClose(body: KnownBody) async throws {
        try await post(body)
        server.closeIdleConnections()
        try await post(body, retries: 1)
        #expect(server.requests.map(\.connectionID) == [1, 2])
        #expect(server.requests.map(\.indexOnConnection) == [0, 0])
        try check(server.requests, body)
    }

    /// The call may be sent again, as its consent says.
    ///
    /// Before it is, libcurl has opened a connection of its own for it, on which the head may arrive,
    /// and nothing more than that.
    @Test(
        "is the same after the server closed a connection on reuse",
        arguments: KnownBody.all,
        MockFault.reusedConnectionFaults
    )
    func staleConnection(body: KnownBody, fault: MockFault) async throws {
        try await post(body)
        server.enqueue(.fault(fault))
        try await post(body, retries: 1)
        let (sends, incomplete) = (server.requests, server.incompleteRequests)
        try check(sends, body)
        #expect(sends.first?.connectionID == 1)
        let last = try #require(sends.last)
        #expect(last.connectionID > 1 && last.indexOnConnection == 0)
        for incomplete in incomplete { checkFraming(incomplete, length: last.body.count) }
        if case .closeReusedConnection(.afterBody, _) = fault {
            #expect(sends.map(\.indexOnConnection) == [0, 1, 0])
            #expect(sends.dropFirst().first?.body == last.body)
        }
    }

    /// Posts a body; one without bytes needs consent to go over a kept connection.
    private func post(_ body: KnownBody, retries: Int = 0) async throws {
        let answer = try await body.post(
            to: "post",
            on: endpoint,
            filesIn: folder,
            retries: body.isEmpty ? max(1, retries) : retries
        )
        #expect(answer == "posted")
    }

    /// Checks requests that arrived in full: how they are framed, and their bytes.
    private func check(_ sends: [RecordedRequest], _ body: KnownBody) throws {
        for sent in sends {
            #expect(sent.method == "POST")
            #expect(sent.headers(named: "Content-Type").count <= 1)
            let isSame = sent.body == body.bytes(as: sent.header("Content-Type"))
            #expect(isSame, "\(sent.body.count) bytes")
            checkFraming(sent, length: sent.body.count)
        }
    }

    /// Looks at the fields as they came: the server leaves none out and joins none.
    ///
    /// One that has two lengths, or a length and a coding, is answered with a 400 and fails the call.
    private func checkFraming(_ sent: RecordedRequest, length: Int?) {
        #expect(sent.headers(named: "Content-Length") == ["\(length ?? -1)"])
        #expect(sent.headers(named: "Transfer-Encoding").isEmpty)
        #expect(sent.headers(named: "Expect").isEmpty)
        #expect(sent.trailers.isEmpty)
    }
}
