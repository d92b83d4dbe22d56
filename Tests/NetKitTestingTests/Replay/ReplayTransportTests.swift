import Foundation
import NetKit
import NetKitHAR
import NetKitTesting
import Testing

@Suite("RecordingTransport and ReplayTransport", .timeLimit(.minutes(15)))
struct ReplayTransportTests {
    /// Answers everything with what was asked.
    private static func echo() -> StubTransport {
        let stub = StubTransport()
        stub.on(nil, "/*") { request in
            .text("\(request.method) \(request.path) \(request.number) \(request.text)")
                .header("X-Number", "\(request.number)")
        }
        return stub
    }

    /// Records what the stubs answer.
    private static let redaction = Redaction(
        shownHeaders: ["X-Number"],
        wholeBodies: ["*/*"]
    )

    /// What these requests are recorded as.
    private func recorded(
        _ requests: [TextRequest],
        over transport: any Transport = Self.echo(),
        redaction: Redaction = Self.redaction
    ) async throws -> HAR {
        let recorder = HARRecorder(redaction: redaction)
        let recording = RecordingTransport(wrapping: transport, to: recorder)
        let endpoint = try endpoint(over: recording)
        // What they end with is in the log.
        for request in requests { _ = await endpoint.outcome(of: request) }
        return try HAR(data: recorder.har.data())
    }

    private func failure(_ error: TransportError?) throws -> ReplayFailure.Reason {
        try #require(error?.underlying as? ReplayFailure).reason
    }

    @Test("replays the recorded status, fields and body")
    func roundTrip() async throws {
        let stub = StubTransport()
        stub.on(.get, "/image") { _ in .data(Data([0, 0xFF, 1]), contentType: "image/png") }
        stub.on(.get, "/from") { _ in .redirect(to: "/to?token=s3cret") }
        stub.on(.get, "/to") { _ in .text("arrived").status(203) }
        stub.on(.get, "/missing") { _ in .json(NestError(message: "none")).status(404) }
        let image = BytesRequest(path: "image")
        let recorder = HARRecorder(redaction: Self.redaction)
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        let requests = ["from", "missing"].map { TextRequest(path: $0) }
        let bytes = try await live.response(for: image)
        for request in requests { _ = await live.outcome(of: request) }
        let har = recorder.har
        #expect(har.entries.map(\.response.status) == [200, 302, 203, 404])

        let replay = ReplayTransport(har)
        let endpoint = try endpoint(over: replay)
        let again = try await endpoint.response(for: image)
        #expect(again.value == bytes.value)
        #expect(again.http.headers == bytes.http.headers)
        #expect(try await endpoint.response(for: requests[0]).http.status == 203)
        guard case .failure(.server(let error, let http)) = await endpoint.outcome(of: requests[1])
        else {
            Issue.record("no server error")
            return
        }
        #expect(error.message == "none")
        #expect(http.status == 404)
        #expect(replay.unusedRequests.isEmpty)
    }

    @Test(
        "replays a browser's text, which is in UTF-8, with that charset",
        arguments: [
            ("text/plain; charset=ISO-8859-1", "text/plain; charset=utf-8"),
            (
                #"text/plain; format=flowed; Charset="utf-16""#,
                "text/plain; charset=utf-8; format=flowed"
            ),
            ("text/plain; charset=UTF-8", "text/plain; charset=UTF-8"),
            ("text/plain", "text/plain"),
        ]
    )
    func transcodedText(recorded: String, replayed: String) async throws {
        var content = HAR.Content(size: 5, mimeType: recorded)
        content.text = "zwölf"
        var response = HAR.Response(status: 200, content: content)
        response.headers = [HAR.Field("Content-Type", recorded)]
        let har = HAR(entries: [
            HAR.Entry(
                start: Date(),
                request: HAR.Request(method: "GET", url: "https://nest.invalid/twelve"),
                response: response,
                timings: HAR.Timings(wait: 0, receive: 0)
            )
        ])
        let endpoint = try endpoint(over: ReplayTransport(har))
        let answer = try await endpoint.response(for: TextRequest(path: "twelve"))
        #expect(answer.value == "zwölf")
        #expect(answer.http.headers[.contentType] == replayed)
    }

    @Test("finds a browser's entry of a URL without a path", arguments: ["", "?q=1"])
    func root(query: String) async throws {
        var content = HAR.Content(size: 4, mimeType: "text/plain")
        content.text = "root"
        let har = HAR(entries: [
            HAR.Entry(
                start: Date(),
                request: HAR.Request(method: "GET", url: "https://nest.invalid/\(query)"),
                response: HAR.Response(status: 200, content: content),
                timings: HAR.Timings(wait: 0, receive: 0)
            )
        ])
        for mode in [ReplayTransport.Mode.strict, .lenient, .recordMissing(StubTransport())] {
            let endpoint = try endpoint(over: ReplayTransport(har, mode: mode))
            #expect(try await endpoint.value(for: TextRequest(path: query)) == "root")
        }
    }

    @Test(
        "replays the text that the server sent in another charset",
        arguments: [
            ("iso-8859-1", Data([0xC3, 0xBC]), "Ã¼"), ("iso-8859-1", Data([0xFC]), "ü"),
            ("iso-8859-1", Data("u".utf8), "u"), ("utf-16", Data([0, 0x75]), "u"),
        ]
    )
    func otherCharsets(charset: String, body: Data, text: String) async throws {
        let stub = StubTransport()
        stub.on(.get, "/text") { _ in .data(body, contentType: "text/plain; charset=\(charset)") }
        let har = try await recorded([TextRequest(path: "text")], over: stub, redaction: .none)
        let endpoint = try endpoint(over: ReplayTransport(har))
        #expect(try await endpoint.value(for: TextRequest(path: "text")) == text)
    }

    @Test("redacts secrets in the recording, and matches any value for them on replay")
    func secrets() async throws {
        func request(_ secret: String) -> TextRequest {
            TextRequest(
                path: "login",
                method: .post,
                queryParams: [("api_key", secret)],
                body: .params(["password": secret, "user": "ann"]),
                headers: [.authorization: "Bearer \(secret)"]
            )
        }
        let stub = StubTransport()
        stub.on(.post, "/login") { _ in .json(text: #"{"access_token":"s3cret"}"#) }
        let har = try await recorded([request("s3cret")], over: stub)
        #expect(!String(decoding: try har.data(), as: UTF8.self).contains("s3cret"))
        for mode in [ReplayTransport.Mode.strict, .lenient, .recordMissing(stub)] {
            let endpoint = try endpoint(over: ReplayTransport(har, mode: mode))
            let text = try await endpoint.value(for: request("another"))
            #expect(text.contains(Redaction.mark))
        }
        #expect(stub.requests.count == 1)
    }

    @Test("uses each entry once, in order, with its URL and body in strict mode")
    func strict() async throws {
        let requests = ["a", "b?x=1&y=2", "c"]
            .map {
                TextRequest(path: $0, method: .post, body: .string("body of \($0)"))
            }
        let har = try await recorded(requests)
        let replay = ReplayTransport(har)
        let endpoint = try endpoint(over: replay)
        #expect(
            try failure(await endpoint.transportError(of: requests[1]))
                == .outOfOrder("POST https://nest.invalid/a")
        )
        #expect(
            try failure(
                await endpoint.transportError(
                    of: TextRequest(path: "a", method: .post, body: .string("another"))
                )
            ) == .bodyMismatch
        )
        #expect(try await endpoint.value(for: requests[0]) == "POST /a 1 body of a")
        #expect(replay.unusedRequests.count == 2)
        #expect(
            try failure(
                await endpoint.transportError(
                    of: TextRequest(path: "b?y=2&x=1", method: .post, body: .string("body of b"))
                )
            )
                == .outOfOrder("POST https://nest.invalid/b?x&y")
        )
        for request in requests.dropFirst() { _ = try await endpoint.value(for: request) }
        #expect(replay.unusedRequests.isEmpty)
        #expect(try failure(await endpoint.transportError(of: requests[2])) == .logExhausted)
    }

    @Test("matches method, path and query in any order in lenient mode, and reuses the last entry")
    func lenient() async throws {
        let requests = ["a?x=1&y=2", "a?x=1&y=2", "b"].map { TextRequest(path: $0) }
        let har = try await recorded(requests)
        let replay = ReplayTransport(har, mode: .lenient)
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let endpoint = Endpoint(baseURL: url, transport: replay, retryingCount: 0)
        var answers: [String] = []
        for path in ["b", "a?y=2&x=1", "a?x=1&y=2", "a?x=1&y=2", "b"] {
            answers.append(try await endpoint.value(for: TextRequest(path: path)))
        }
        #expect(answers == ["GET /b 3 ", "GET /a 1 ", "GET /a 2 ", "GET /a 2 ", "GET /b 3 "])
        let reason = try failure(await endpoint.transportError(of: TextRequest(path: "bb")))
        #expect(
            reason
                == .notRecorded(nearest: [
                    "GET https://nest.invalid/b", "GET https://nest.invalid/a?x&y",
                ])
        )
    }

    @Test(
        "names the query items that differ",
        arguments: [.strict, .lenient] as [ReplayTransport.Mode]
    )
    func queryItems(mode: ReplayTransport.Mode) async throws {
        let har = try await recorded([TextRequest(path: "s?page=1&q=a|b&n=1")])
        let endpoint = try endpoint(over: ReplayTransport(har, mode: mode))
        let request = TextRequest(path: "s?page=2&q=c&n=1")
        let message = await endpoint.transportError(of: request)?.message ?? ""
        #expect(
            message.contains("GET https://nest.invalid/s?page&q&n with another \"page\", \"q\"")
        )
    }

    @Test("prefers the entry with the same body in lenient mode")
    func lenientBodies() async throws {
        let requests = ["1", "2"]
            .map {
                TextRequest(path: "a", method: .post, body: .form([("n", $0)]))
            }
        let endpoint = try endpoint(
            over: ReplayTransport(try await recorded(requests), mode: .lenient)
        )
        #expect(try await endpoint.value(for: requests[1]) == "POST /a 2 n=2")
        #expect(try await endpoint.value(for: requests[0]) == "POST /a 1 n=1")
        let other = TextRequest(path: "a", method: .post, body: .form([("n", "3")]))
        #expect(try await endpoint.value(for: other) == "POST /a 2 n=2")
    }

    @Test("records missing exchanges into a complete file")
    func missing() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = Self.echo()
        let requests = ["a", "b", "c"].map { TextRequest(path: $0) }
        for count in 1...3 {
            let replay = try ReplayTransport(
                contentsOf: file,
                mode: .recordMissing(stub),
                redaction: Self.redaction
            )
            let endpoint = try endpoint(over: replay)
            for (number, request) in requests.prefix(count).reversed().enumerated() {
                let answer = try await endpoint.value(for: request)
                #expect(answer == "GET /\(request.path) \(count - number) ")
            }
            #expect(replay.unusedRequests.isEmpty)
            try replay.har.write(to: file)
        }
        #expect(stub.requests.map(\.path) == ["/a", "/b", "/c"])
        let endpoint = try endpoint(over: ReplayTransport(contentsOf: file))
        for request in requests { _ = try await endpoint.value(for: request) }
    }

    @Test("fails as recorded")
    func failures() async throws {
        let kinds: [TransportError.Kind] = [.cannotConnect, .truncatedResponse, .secureConnection]
        let stub = StubTransport()
        for (index, kind) in kinds.enumerated() {
            stub.on(.get, "/\(index)") { _ in .text("half").cutting(afterBodyBytes: 2, with: kind) }
        }
        let requests = kinds.indices.map { TextRequest(path: "\($0)") }
        let har = try await recorded(requests, over: stub)
        let endpoint = try endpoint(over: ReplayTransport(har))
        for (request, kind) in zip(requests, kinds) {
            #expect(await endpoint.transportError(of: request)?.kind == kind)
        }
    }

    @Test("fails when a body isn't in the recording")
    func bodies() async throws {
        let recorder = HARRecorder(bodyLimit: 3)
        let recording = RecordingTransport(wrapping: Self.echo(), to: recorder)
        _ = try await endpoint(over: recording).value(for: TextRequest(path: "a"))
        let endpoint = try endpoint(over: ReplayTransport(recorder.har))
        let error = await endpoint.transportError(of: TextRequest(path: "a"))
        #expect(try failure(error) == .bodyNotRecorded)
        #expect(
            error?.message
                == "the body of the response to GET https://nest.invalid/a is not in the log, or not all of it"
        )
    }

    @Test("replays an empty body, whatever its fields announce")
    func emptyBodies() async throws {
        let stub = StubTransport()
        stub.on(.get, "/chunked") { _ in
            .pieces([]).header("Transfer-Encoding", "chunked")
        }
        stub.on(.get, "/packed") { _ in
            .pieces([]).header(.contentEncoding, "gzip").header(.contentLength, "20")
        }
        let requests = ["chunked", "packed"].map { TextRequest(path: $0) }
        let endpoint = try endpoint(over: ReplayTransport(try await recorded(requests, over: stub)))
        for request in requests { #expect(try await endpoint.value(for: request) == "") }
    }

    @Test("compares multipart bodies without their boundaries")
    func multipart() async throws {
        struct Upload: MultipartFormDataRequest {
            typealias ResponseObjectType = String
            let path = "upload"
            let method: HTTPMethod = .post
            let files: [any MultipartFile]

            init(_ text: String) {
                files = [
                    DefaultMultipartFile(
                        resource: Data(text.utf8),
                        mime: .binary,
                        name: "f",
                        fileName: "n"
                    )
                ]
            }
        }
        let stub = StubTransport()
        stub.on(.post, "/upload") { _ in .json(text: "{}") }
        // Without consent to the file's type, only its length can be compared.
        for (redaction, other) in [(Self.redaction, "two"), (Redaction.secrets, "three")] {
            let recorder = HARRecorder(redaction: redaction)
            let recording = RecordingTransport(wrapping: stub, to: recorder)
            _ = try await endpoint(over: recording).value(for: Upload("one"))
            let endpoint = try endpoint(over: ReplayTransport(recorder.har))
            #expect(try failure(await endpoint.transportError(of: Upload(other))) == .bodyMismatch)
            _ = try await endpoint.value(for: Upload("one"))
        }
    }

    @Test("records and replays a stream as far as it was read")
    func streams() async throws {
        let stub = StubTransport(clock: ManualClock())
        stub.on(.get, "/events") { _ in
            .events([.init(data: "one"), .init(data: "two")], every: .seconds(1))
        }
        let recorder = HARRecorder(redaction: Self.redaction)
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        for try await event in try await live.stream(TextRequest(path: "events")).serverSentEvents {
            #expect(event.data == "one")
            break
        }
        await eventually { !recorder.har.entries.isEmpty }
        let endpoint = try endpoint(over: ReplayTransport(recorder.har))
        var events: [String] = []
        let stream = try await endpoint.stream(TextRequest(path: "events"))
        for try await event in stream.serverSentEvents { events.append(event.data) }
        #expect(events == ["one"])
    }

    @Test("stops recording a missing exchange when its call is cancelled")
    func cancellation() async throws {
        let stub = StubTransport()
        stub.on(.get, "/silent") { _ in .silence }
        let replay = ReplayTransport(HAR(), mode: .recordMissing(stub))
        let endpoint = try endpoint(over: replay)
        let call = Task { await endpoint.outcome(of: TextRequest(path: "silent")) }
        try await stub.waitForRequests(1)
        call.cancel()
        guard case .failure(.cancelled) = await call.value else {
            Issue.record("not cancelled")
            return
        }
        #expect(replay.har.entries.isEmpty)
    }
}
