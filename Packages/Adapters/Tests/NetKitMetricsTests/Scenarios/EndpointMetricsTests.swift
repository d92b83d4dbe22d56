import CoreMetrics
import Dispatch
import Foundation
import MetricsTestKit
import NetKit
import NetKitMetrics
import NetKitTesting
import Testing

@Suite("Endpoint metrics", .timeLimit(.minutes(5)))
struct EndpointMetricsTests {
    private struct Shelf: Request {
        typealias ResponseObjectType = String
        static let name = "shelf"
        let path = "shelves/{shelf}?order={order}"
        let method: HTTPMethod = .post
        var body: RequestBody? { .string("12345") }
        @Path("shelf") var shelf = "a"
        @Path("order") var order = "asc"

        init(shelf: String) { self.shelf = shelf }
    }

    /// Sends another body, and again after a first response, as a signature by a wrong clock does.
    private struct Resending: Interceptor {
        var scope: InterceptorScope { .exchange }

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            var other = request
            other.body = BodySource(Data("1234567".utf8))
            _ = try await next(other)
            let response = try await next(other)
            return HTTPResponse(to: request, status: response.status, body: Data("a b".utf8))
        }
    }

    private typealias Text = DefaultRequest<String, ServerMessage>

    private let server: MockServer
    private let endpoint: Endpoint
    private let metrics = TestMetrics()

    init() throws {
        server = try MockServer()
        server.route(nil, "/shelves/*") { _ in .text("books") }
        server.route(nil, "/users/*") { _ in .text("user") }
        endpoint = Endpoint(baseURL: server.baseURL, transport: TransportUnderTest.make())
        endpoint.timeouts.idle = .seconds(3_600)
        endpoint.retryPolicy.backoff = .none
        endpoint.reportMetrics(to: metrics)
    }

    private func dimensions(
        _ method: String = "GET",
        template: String = "",
        status: String = "200",
        error: String = "",
        version: String = TransportUnderTest.httpVersion,
        port: Int? = nil,
        of request: String = Text.name
    ) -> [(String, String)] {
        serverDimensions(method, port: port) + [
            ("url.template", template), ("http.response.status_code", status),
            ("error.type", error), ("network.protocol.version", version),
            ("netkit.request", request),
        ]
    }

    private func serverDimensions(
        _ method: String = "GET",
        port: Int? = nil
    ) -> [(String, String)] {
        [
            ("http.request.method", method), ("server.address", "127.0.0.1"),
            ("server.port", "\(port ?? server.port)"),
        ]
    }

    @Test("creates each instrument once: durations in seconds, sizes and active requests")
    func measures() async throws {
        for shelf in ["a", "b", "c"] { _ = try await endpoint.value(for: Shelf(shelf: shelf)) }
        let labels = dimensions("POST", template: "/shelves/{shelf}", of: "shelf")
        let duration = try metrics.expectTimer("http.client.request.duration", labels)
        #expect(duration.values.count == 3 && duration.values.allSatisfy { $0 > 0 })
        #expect(duration.displayUnit == .seconds)
        let request = try metrics.expectRecorder("http.client.request.body.size", labels)
        let response = try metrics.expectRecorder("http.client.response.body.size", labels)
        #expect(request.values == [5, 5, 5] && response.values == [5, 5, 5])
        let active = try metrics.expectMeter(
            "http.client.active_requests",
            serverDimensions("POST")
        )
        #expect(active.values == [1, 0, 1, 0, 1, 0])
        #expect(metrics.timers.count == 1 && metrics.recorders.count == 2)
        #expect(metrics.meters.count == 1)
    }

    @Test("never has a concrete path")
    func paths() async throws {
        for user in 1...20 { _ = try await endpoint.value(for: Text(path: "users/\(user)")) }
        let duration = try metrics.expectTimer("http.client.request.duration", dimensions())
        #expect(duration.values.count == 20)
        #expect(metrics.timers.count == 1)
    }

    @Test("records each exchange with its status and failure type")
    func failures() async throws {
        server.enqueue(.status(503), .redirect(to: "/users/1"))
        _ = try await endpoint.value(for: Text(path: "users/2"))
        // No server of another test gets this port.
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let unreachable = Endpoint(baseURL: url, transport: TransportUnderTest.make())
        unreachable.retryPolicy = .never
        unreachable.reportMetrics(to: metrics)
        _ = try? await unreachable.value(for: Text(path: "users/2"))
        let expected = [
            dimensions(status: "503", error: "503"), dimensions(status: "302"), dimensions(),
            dimensions(status: "", error: "cannotConnect", version: "", port: 1),
        ]
        for labels in expected {
            let timer = try metrics.expectTimer("http.client.request.duration", labels)
            #expect(timer.values.count == 1)
        }
        #expect(metrics.timers.count == 4)
        let active = try metrics.expectMeter("http.client.active_requests", serverDimensions())
        #expect(active.values == [1, 0, 1, 0, 1, 0])
    }

    @Test("records the announced size of a response or stream, and none for a HEAD")
    func sizes() async throws {
        let stream = try await endpoint.stream(Text(path: "users/1"))
        for try await _ in stream {}
        // The metrics are there when the transfer has ended, a moment after the last byte.
        let size = "http.client.response.body.size"
        while (try? metrics.expectRecorder(size, dimensions()))?.values.isEmpty != false,
            !Task.isCancelled
        {
            await Task.yield()
        }
        let response = try metrics.expectRecorder(size, dimensions())
        #expect(response.values == [4])
        server.route("HEAD", "/head") { _ in .text("plain") }
        let head = DefaultRequest<Void, ServerMessage>(path: "head", method: .head)
        try await endpoint.value(for: head)
        // Its Content-Length speaks of the response to a GET.
        let none = try metrics.expectRecorder(
            "http.client.response.body.size",
            dimensions("HEAD", of: "DefaultRequest<(), ServerMessage>")
        )
        #expect(none.values.isEmpty)
    }

    @Test("counts a stream that its reader leaves as a success")
    func leftStream() async throws {
        server.route(nil, "/feed") { _ in .text("begun").stalling(afterBodyBytes: 3) }
        func begin() async throws {
            for try await _ in try await endpoint.stream(Text(path: "feed")) { break }
        }
        try await begin()
        while metrics.timers.isEmpty, !Task.isCancelled { await Task.yield() }
        _ = try metrics.expectTimer("http.client.request.duration", dimensions())
    }

    @Test("records the status code of a response whose body fails", arguments: BrokenBody.allCases)
    func brokenBody(body: BrokenBody) async throws {
        let endpoint = body.endpoint(at: server.baseURL)
        endpoint.reportMetrics(to: metrics)
        _ = try? await endpoint.value(for: Text(path: "users/1"))
        _ = try metrics.expectTimer(
            "http.client.request.duration",
            dimensions(error: body.rawValue, version: "")
        )
        #expect(metrics.timers.count == 1)
    }

    @Test("has the HTTP version that the transport tells")
    func version() async throws {
        let transport = ToldTransport { receiver in
            var head = ResponseHead(status: 200)
            head.connection = ConnectionFacts(httpVersion: "2")
            receiver.receive(.started)
            receiver.receive(.head(head))
            receiver.receive(.finished(nil))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
        endpoint.reportMetrics(to: metrics)
        _ = try await endpoint.value(for: Text(path: "users/1"))
        _ = try metrics.expectTimer("http.client.request.duration", dimensions(version: "2"))
    }

    @Test("records what the endpoint's interceptors send and receive, each time that they do")
    func interceptors() async throws {
        let endpoint = Endpoint(baseURL: server.baseURL, transport: TransportUnderTest.make())
        endpoint.timeouts.idle = .seconds(3_600)
        endpoint.interceptors = [Resending()]
        endpoint.reportMetrics(to: metrics)
        let request = Text(path: "users/1", method: .post, body: .string("12345"))
        #expect(try await endpoint.value(for: request) == "a b")
        let labels = dimensions("POST")
        let sent = try metrics.expectRecorder("http.client.request.body.size", labels)
        let received = try metrics.expectRecorder("http.client.response.body.size", labels)
        #expect(sent.values == [7, 7] && received.values == [4, 4])
        let active = try metrics.expectMeter(
            "http.client.active_requests",
            serverDimensions("POST")
        )
        #expect(active.values == [1, 0, 1, 0])
    }

    @Test("records the size of a live body only if it is known", arguments: [nil, 5] as [Int64?])
    func liveBody(length: Int64?) async throws {
        let transport = ToldTransport { receiver in
            receiver.receive(.started)
            receiver.receive(.head(ResponseHead(status: 200)))
            receiver.receive(.body(Data("plain".utf8)))
            receiver.receive(.finished(nil))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
        endpoint.reportMetrics(to: metrics)
        let pieces = AsyncStream<Data> { $0.finish() }
        let body = RequestBody.stream(pieces, length: length, isLive: true)
        _ = try await endpoint.value(for: Text(path: "users/1", method: .post, body: body))
        let size = try metrics.expectRecorder(
            "http.client.request.body.size",
            dimensions("POST", version: "")
        )
        #expect(size.values == (length.map { [Double($0)] } ?? []))
    }

    @Test("records an exchange that ends while a thread of the transport delivers its events")
    func otherThread() async throws {
        let (clock, idle) = (ManualClock(), Duration.seconds(10))
        let ended = DispatchSemaphore(value: 0)
        let transport = ToldTransport { receiver in
            receiver.receive(.started)
            receiver.receive(.sent(5))
            receiver.receive(.finished(.cancelled))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        endpoint.timeouts.idle = idle
        endpoint.retryPolicy = .never
        endpoint.reportMetrics(to: metrics)
        endpoint.observation.registerEvents { event in
            guard case .sent = event.kind else { return }
            clock.advance(by: idle)
            ended.wait()
        }
        let request = Text(path: "users/1", method: .post, body: .string("12345"))
        _ = try? await endpoint.value(for: request)
        ended.signal()
        let size = try metrics.expectRecorder(
            "http.client.request.body.size",
            dimensions("POST", status: "", error: "timeout", version: "")
        )
        #expect(size.values == [5])
    }
}
