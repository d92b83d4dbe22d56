import Foundation
import NetKit
import Testing

@Suite("Model Context Protocol server", .needs(.modelContext), .timeLimit(.minutes(10)))
struct ModelContextTests {
    /// What a stream brought until it ended.
    private struct Answer {
        var progress: [JSONValue?] = []
        var result: RPCMessage?
        /// The ID of the last event.
        var lastEvent: String?

        mutating func read(
            _ stream: ResponseStream,
            onProgress: (_ count: Int) async throws -> Void = { _ in }
        ) async throws {
            for try await event in stream.serverSentEvents {
                lastEvent = event.id ?? lastEvent
                // An event without data is only an ID to resume from.
                guard !event.data.isEmpty else { continue }
                let message = try RPCMessage(event)
                if message.method == "notifications/progress" {
                    progress.append(message.params?["progress"])
                    try await onProgress(progress.count)
                } else {
                    result = message
                }
            }
        }
    }

    private func session(on endpoint: Endpoint) async throws -> ModelContextSession {
        let stream = try await endpoint.stream(RPCRequest.initialize)
        let id = try #require(stream.headers["Mcp-Session-Id"])
        var answer = Answer()
        try await answer.read(stream)
        #expect(answer.result?.id == 1)
        #expect(answer.result?.result?["serverInfo"]?["name"] == "NetKit")
        let version = answer.result?.result?["protocolVersion"]
        #expect(version == .string(ModelContextSession.version))
        let session = ModelContextSession(id: id)
        let accepted = try await endpoint.response(for: RPCRequest.initialized(session))
        #expect(accepted.http.status == .accepted)
        return session
    }

    @Test("initializes a session, calls a tool and ends the session", arguments: Engine.allCases)
    func call(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        let session = try await session(on: endpoint)
        var sum = Answer()
        let add = RPCRequest.call("add", ["first": 19, "second": 23], in: session)
        try await sum.read(try await endpoint.stream(add))
        #expect(sum.result?.result?["structuredContent"]?["result"] == 42)
        var failed = Answer()
        let fail = RPCRequest.call("fail", [:], in: session)
        try await failed.read(try await endpoint.stream(fail))
        #expect(failed.result?.result?["isError"] == true)
        try await endpoint.value(for: EndSessionRequest(session))
        // The session is over.
        let error = try await failure(of: RPCRequest.initialized(session), on: endpoint)
        #expect(error.statusCode == 404)
        #expect(error.serverError != nil)
    }

    @Test("reports the progress of a tool, one event each", arguments: Engine.allCases)
    func progress(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        let session = try await session(on: endpoint)
        var answer = Answer()
        let count = RPCRequest.call("count", ["to": 30, "leaving_after": 0], in: session)
        try await answer.read(try await endpoint.stream(count))
        #expect(answer.progress == (1...30).map { JSONValue.number(Decimal($0)) })
        #expect(answer.result?.result?["structuredContent"]?["result"] == "counted to 30")
    }

    @Test(
        "resumes after the last event when the server closes the stream",
        arguments: Engine.allCases
    )
    func resume(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        let session = try await session(on: endpoint)
        var answer = Answer()
        let count = RPCRequest.call("count", ["to": 30, "leaving_after": 12], in: session)
        let read = RPCRequest.call("read", ["call": try #require(count.id)], in: session)
        try await answer.read(try await endpoint.stream(count)) { count in
            guard count == 12 else { return }
            var noted = Answer()
            try await noted.read(try await endpoint.stream(read))
        }
        #expect(answer.progress.count == 12)
        #expect(answer.result == nil)
        try await resume(&answer, of: count, in: session, on: endpoint)
        #expect(answer.progress == (1...30).map { JSONValue.number(Decimal($0)) })
        #expect(answer.result?.result?["structuredContent"]?["result"] == "counted to 30")
    }

    @Test(
        "resumes after the last event when the client leaves the stream",
        arguments: Engine.allCases
    )
    func leave(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        let session = try await session(on: endpoint)
        let count = RPCRequest.call("count", ["to": 20, "leaving_after": 0], in: session)
        var answer = Answer()
        for try await event in try await endpoint.stream(count).serverSentEvents {
            answer.lastEvent = event.id
            guard !event.data.isEmpty else { continue }
            answer.progress.append(try RPCMessage(event).params?["progress"])
            if answer.progress.count == 5 { break }
        }
        try await resume(&answer, of: count, in: session, on: endpoint)
        #expect(answer.progress == (1...20).map { JSONValue.number(Decimal($0)) })
        #expect(answer.result?.result?["structuredContent"]?["result"] == "counted to 20")
    }

    /// Reads the rest of a call's events when the server has them all.
    private func resume(
        _ answer: inout Answer,
        of call: RPCRequest,
        in session: ModelContextSession,
        on endpoint: Endpoint
    ) async throws {
        let wait = RPCRequest.call("wait", ["call": try #require(call.id)], in: session)
        var waiting = Answer()
        try await waiting.read(try await endpoint.stream(wait))
        #expect(waiting.result?.result?["structuredContent"]?["result"] == "done")
        let request = ResumeRequest(after: try #require(answer.lastEvent), in: session)
        for try await event in try await endpoint.stream(request).serverSentEvents
        where !event.data.isEmpty {
            let message = try RPCMessage(event)
            guard message.method == "notifications/progress" else {
                answer.result = message
                break
            }
            answer.progress.append(message.params?["progress"])
        }
    }

    @Test(
        "and sse-starlette send events whose lines end in any way",
        arguments: Engine.allCases,
        ["crlf", "cr", "lf"]
    )
    func separators(engine: Engine, separator: String) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        var events: [ServerSentEvent] = []
        let stream = try await endpoint.stream(PlainEventsRequest(separator))
        for try await event in stream.serverSentEvents { events.append(event) }
        #expect(
            events == [
                ServerSentEvent(id: "1", event: "add", data: "one"),
                ServerSentEvent(id: "2", data: "two\nlines"),
                ServerSentEvent(id: "3", event: "empty", data: ""),
                ServerSentEvent(id: "4", data: "Grüße 🦊", retry: .milliseconds(100)),
                ServerSentEvent(id: "5", data: #"{"a": "b:c"}"#),
            ]
        )
    }

    @Test(
        "and sse-starlette resume with the ID of the last event",
        arguments: Engine.allCases,
        ["crlf", "cr", "lf"]
    )
    func reconnection(engine: Engine, separator: String) async throws {
        let endpoint = try engine.endpoint(.modelContext)
        let request = PlainEventsRequest(separator, most: 2)
        var ids: [String?] = []
        for try await event in endpoint.events(for: request, reconnectingAfter: .zero) {
            ids.append(event.id)
            // There would be no end without the ID.
            if ids.count == 5 { break }
        }
        #expect(ids == ["1", "2", "3", "4", "5"])
    }
}
