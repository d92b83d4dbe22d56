import Foundation
import NetKit
import NetKitCache
import NetKitTesting
import NetKitTracing
import Testing

@Suite("Exchange spans", .timeLimit(.minutes(5)))
struct ExchangeSpanTests {
    private typealias Text = DefaultRequest<String, ServerMessage>

    private let setting: TraceSetting
    private var server: MockServer { setting.server }
    private var endpoint: Endpoint { setting.endpoint }

    init() throws {
        setting = try TraceSetting()
    }

    @Test("counts retries and redirects, each with its own context")
    func resent() async throws {
        endpoint.traceCalls(with: setting.tracer)
        server.enqueue(.status(503), .redirect(to: "/text?key=SECRET", status: 307))
        _ = try await endpoint.value(for: Text(path: "first"))
        let spans = setting.spans
        try #require(spans.count == 4)
        let (call, exchanges) = (spans[0], spans[1...])
        #expect(exchanges.allSatisfy { $0.parent == call.id })
        #expect(
            exchanges.map { $0.attributes["http.response.status_code"] } == ["503", "307", "200"]
        )
        #expect(exchanges.map { $0.attributes["http.request.resend_count"] } == [nil, "1", "2"])
        #expect(exchanges.map { $0.attributes["error.type"] } == ["503", nil, nil])
        #expect(
            exchanges.map { $0.attributes["url.full"] } == [
                "\(server.url("/first"))", "\(server.url("/first"))", "\(server.url("/text?key"))",
            ]
        )
        #expect(call.attributes["http.response.status_code"] == "200")
        #expect(
            call.events == [
                "retry netkit.delay=0.0",
                "redirect http.response.status_code=307 url.full=\(server.url("/text?key"))",
            ]
        )
        #expect(setting.parents == exchanges.map(\.traceparent))
    }

    @Test(
        "sends no context to another origin, unless it is a target",
        arguments: [true, false],
        [true, false]
    )
    func otherOrigin(isRedirect: Bool, isTarget: Bool) async throws {
        let other = try MockServer()
        other.route(nil, "/text") { _ in .text("plain") }
        let url = other.url("/text")
        if isRedirect { server.enqueue(.redirect(to: "\(url)", status: 307)) }
        // What an earlier layer set, in place of the tracer or not, goes neither.
        endpoint.interceptors = [TraceContext()]
        let request = Text(
            path: isRedirect ? "first" : "\(url)",
            headers: ["baggage": "key=user", "tracestate": "a=b"]
        )
        if isTarget {
            endpoint.traceCalls(with: setting.tracer, propagatingTo: { $0 == url })
        } else {
            endpoint.traceCalls(with: setting.tracer)
        }
        #expect(try await endpoint.value(for: request) == "plain")
        let received = try #require(other.requests.first)
        let names = ["traceparent", "tracestate", "baggage"]
        let span = try #require(setting.spans.last)
        #expect(
            names.map { received.header($0) }
                == (isTarget ? [span.traceparent, "a=b", "key=user"] : [nil, nil, nil])
        )
        #expect(span.name == "client GET" && span.attributes["server.port"] == "\(other.port)")
        #expect(setting.parents == (isRedirect ? [setting.spans[1].traceparent] : []))
    }

    @Test("shows a refresh as a call within the call")
    func refreshed() async throws {
        server.route(nil, "/token") { _ in .text("new") }
        server.route(nil, "/secret") { request in
            request.header("Authorization") == "Bearer new" ? .text("secret") : .status(401)
        }
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: Text(path: "token"))
        }
        endpoint.traceCalls(with: setting.tracer)
        #expect(try await endpoint.value(for: Text(path: "secret")) == "secret")
        let spans = setting.spans
        try #require(spans.count == 5)
        let call = spans[0].id
        #expect(spans.map(\.parent) == [nil, call, call, spans[2].id, call])
        let paths = spans.map { $0.attributes["url.full"]?.split(separator: "/").last }
        #expect(paths == ["secret", "secret", "token", "token", "secret"])
        #expect(
            spans.map { $0.attributes["http.request.resend_count"] } == [nil, nil, nil, nil, "1"]
        )
        #expect(
            spans.map { $0.attributes["http.response.status_code"] }
                == ["200", "401", "200", "200", "200"]
        )
        #expect(spans[0].events == ["authentication netkit.recovery=refreshed"])
    }

    @Test("has no span for a cached response")
    func cached() async throws {
        server.route(nil, "/text") { request in
            let answer =
                request.header("If-None-Match") == nil
                ? MockResponse.text("plain") : MockResponse.status(304)
            return answer.header("ETag", #""1""#)
                .header("Cache-Control", request.query.isEmpty ? "max-age=3600" : "max-age=0")
        }
        endpoint.cache = .memory()
        endpoint.traceCalls(with: setting.tracer)
        for path in ["text", "text", "text?old", "text?old"] {
            #expect(try await endpoint.value(for: Text(path: path)) == "plain")
        }
        let calls = setting.spans.filter { $0.parent == nil }
        #expect(
            calls.map { call in setting.spans.filter { $0.parent == call.id }.count } == [
                1, 0, 1, 1,
            ]
        )
        #expect(calls.map { $0.attributes["netkit.cache"] } == [nil, "hit", nil, "revalidated"])
    }

    @Test(
        "disables NetKit's own trace context, in any order",
        arguments: [true, false]
    )
    func ownTraceContext(isFirst: Bool) async throws {
        if isFirst { endpoint.interceptors = [TraceContext()] }
        endpoint.traceCalls(with: setting.tracer)
        if !isFirst { endpoint.interceptors = [TraceContext()] + endpoint.interceptors }
        server.enqueue(.redirect(to: "/text"))
        _ = try await endpoint.value(for: Text(path: "first"))
        #expect(setting.parents == setting.spans.dropFirst().map(\.traceparent))
        #expect(server.requests.allSatisfy { $0.headers(named: "traceparent").count == 1 })
    }
}
