import Dispatch
import Foundation
import InMemoryTracing
import NetKit
import NetKitTesting
import NetKitTracing
import Testing
import Tracing

@Suite("Call span", .timeLimit(.minutes(5)))
struct CallSpanTests {
    private struct Shelf: Request {
        typealias ResponseObjectType = String
        let path = "shelves/{shelf}?order=asc"
        let method: HTTPMethod = .get
        @Path("shelf") var shelf = "a b"
        @Query("token") var token = "SECRET"
    }

    private typealias Text = DefaultRequest<String, ServerMessage>

    private let setting: TraceSetting
    private var server: MockServer { setting.server }
    private var endpoint: Endpoint { setting.endpoint }

    init() throws {
        setting = try TraceSetting(path: "/api/")
        server.route(nil, "/api/shelves/*") { _ in .text("books") }
    }

    @Test(
        "is a child of the caller's span, with a child for each exchange",
        arguments: [true, false]
    )
    func family(isAsync: Bool) async throws {
        let (tracer, endpoint) = (setting.tracer, endpoint)
        endpoint.traceCalls(with: tracer)
        var context = ServiceContext.topLevel
        context[W3CTracer.User.self] = "7"
        let caller = tracer.memory.startSpan("caller", context: context)
        let value = try await ServiceContext.withValue(caller.context) {
            if isAsync { return try await endpoint.value(for: Shelf()) }
            return try await Shelf().execute(on: endpoint).value
        }
        #expect(value == "books")
        let spans = setting.spans
        try #require(spans.count == 2)
        let request = [
            "http.request.method": "GET", "server.address": "127.0.0.1",
            "server.port": "\(server.port)", "http.response.status_code": "200",
            "url.full": "\(server.url("/api/shelves/a%20b"))?order&token",
            "url.template": "/api/shelves/{shelf}",
        ]
        #expect(spans.map(\.parent) == [caller.spanID, spans[0].id])
        #expect(
            spans.map(\.name) == [
                "call GET /api/shelves/{shelf}", "client GET /api/shelves/{shelf}",
            ]
        )
        #expect(
            spans[0].attributes == request.merging(["netkit.request": "Shelf"]) { $1 }
        )
        #expect(
            spans[1].attributes == request.merging(TransportUnderTest.exchangeAttributes) { $1 }
        )
        #expect(spans.allSatisfy { !$0.isFailure && $0.events.isEmpty })
        #expect(setting.parents == [spans[1].traceparent])
        #expect(server.requests.map { $0.header("baggage") } == ["user=7"])
    }

    @Test("uses the process's tracer, without duplicate spans of the engine")
    func processTracer() async throws {
        let tracer = setting.tracer
        // The engine chooses its tracer when it is made.
        try await withTracer(tracer) {
            let endpoint = Endpoint(
                baseURL: server.baseURL,
                transport: TransportUnderTest.make()
            )
            endpoint.traceCalls()
            _ = try await endpoint.value(for: Text(path: "text"))
        }
        #expect(setting.spans.map(\.name) == ["call GET", "client GET"])
        #expect(setting.parents == [setting.spans.last?.traceparent])
    }

    @Test("has the error type of a failure, and its status code if there is one")
    func failures() async throws {
        endpoint.traceCalls(with: setting.tracer)
        endpoint.retryPolicy = .never
        // No server of another test gets this port.
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let unreachable = Endpoint(baseURL: url, transport: TransportUnderTest.make())
        unreachable.retryPolicy = .never
        unreachable.traceCalls(with: setting.tracer)
        for endpoint in [endpoint, unreachable] {
            _ = try? await endpoint.value(for: Text(path: "missing"))
        }
        let types = setting.spans.map { $0.attributes["error.type"] }
        #expect(types == ["404", "404", "cannotConnect", "cannotConnect"])
        #expect(setting.spans.allSatisfy { $0.isFailure })
        #expect(
            setting.spans.map { $0.attributes["http.response.status_code"] }
                == ["404", "404", nil, nil]
        )
    }

    @Test("has the name of an error of a private type, without the address of its context")
    func privateErrors() async throws {
        endpoint.traceCalls(with: setting.tracer)
        endpoint.interceptors.append(Refusing())
        _ = try? await endpoint.value(for: Text(path: "missing"))
        let types = setting.spans.map { $0.attributes["error.type"] }
        // The suite runs in two modules.
        #expect(types == ["\(#fileID.prefix { $0 != "/" }).Refusal"])
    }

    @Test("ends with a cancelled call")
    func cancelled() async throws {
        server.route(nil, "/api/never") { _ in .fault(.stall) }
        endpoint.traceCalls(with: setting.tracer)
        let operation = Text(path: "never").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        operation.cancel()
        _ = await operation.result
        await eventually { setting.spans.count == 2 }
        #expect(setting.spans.map { $0.attributes["error.type"] } == ["cancelled", "cancelled"])
        #expect(setting.tracer.memory.activeSpans.isEmpty)
    }

    @Test("lasts until the last byte of a stream")
    func stream() async throws {
        server.route(nil, "/api/feed") { _ in .text("begun").stalling(afterBodyBytes: 3) }
        endpoint.traceCalls(with: setting.tracer)
        func begin() async throws {
            let stream = try await endpoint.stream(Text(path: "feed"))
            for try await _ in stream {
                #expect(setting.spans.isEmpty)
                break
            }
        }
        try await begin()
        await eventually { setting.spans.count == 2 }
        for span in setting.spans {
            #expect(span.attributes["http.response.status_code"] == "200")
            // A reader who leaves is no failure.
            #expect(span.attributes["error.type"] == nil && !span.isFailure)
        }
    }

    @Test("fails with a stream that is cancelled before its head")
    func streamWithoutHead() async throws {
        server.route(nil, "/api/never") { _ in .fault(.stall) }
        let endpoint = endpoint
        endpoint.traceCalls(with: setting.tracer)
        let opening = Task { try await endpoint.stream(Text(path: "never")) }
        _ = try await server.waitForRequests(1)
        opening.cancel()
        _ = await opening.result
        await eventually { setting.spans.count == 2 }
        #expect(setting.spans.map { $0.attributes["error.type"] } == ["cancelled", "cancelled"])
    }

    @Test("has the status code of a response whose body fails", arguments: BrokenBody.allCases)
    func brokenBody(body: BrokenBody) async throws {
        let endpoint = body.endpoint(at: server.baseURL)
        endpoint.traceCalls(with: setting.tracer)
        _ = try? await endpoint.value(for: Text(path: "text"))
        try #require(setting.spans.count == 2)
        for span in setting.spans {
            #expect(span.attributes["http.response.status_code"] == "200")
            #expect(span.attributes["error.type"] == body.rawValue && span.isFailure)
        }
    }

    @Test(
        "has an event for a refused retry, if the failure could have been retried",
        arguments: [
            (.post, 503, ["retry.refused netkit.reason=notRepeatable"]), (.post, 404, []),
            (.get, 404, []),
        ] as [(HTTPMethod, Int, [String])]
    )
    func refusedRetry(method: HTTPMethod, status: Int, events: [String]) async throws {
        server.enqueue(.status(status))
        endpoint.traceCalls(with: setting.tracer)
        _ = try? await endpoint.value(for: Text(path: "text", method: method))
        #expect(setting.spans.map(\.events) == [events, []])
    }

    @Test("keeps the original name of a method that the conventions don't list")
    func otherMethod() async throws {
        server.route(nil, "/api/text") { _ in .text("plain") }
        endpoint.traceCalls(with: setting.tracer)
        _ = try await endpoint.value(for: Text(path: "text", method: .custom("PURGE")))
        for span in setting.spans {
            #expect(span.name.hasSuffix(" HTTP"))
            #expect(span.attributes["http.request.method"] == "_OTHER")
            #expect(span.attributes["http.request.method_original"] == "PURGE")
        }
    }

    @Test("names a method as it is sent, whatever its case")
    func sentMethod() async throws {
        server.route(nil, "/api/text") { _ in .text("plain") }
        endpoint.traceCalls(with: setting.tracer)
        _ = try await endpoint.value(for: Text(path: "text", method: .custom("get")))
        #expect(server.requests.map { "\($0.method)" } == ["GET"])
        for span in setting.spans {
            #expect(span.attributes["http.request.method"] == "GET")
            #expect(span.attributes["http.request.method_original"] == nil)
        }
    }

    @Test("has the events that a thread of the transport delivers")
    func otherThread() async throws {
        let (clock, idle) = (ManualClock(), Duration.seconds(10))
        let (first, retried, noted) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        first.signal()
        let transport = ToldTransport { receiver in
            guard first.wait(timeout: .now()) == .success else {
                retried.signal()
                noted.wait()
                receiver.receive(.started)
                receiver.receive(.head(ResponseHead(status: 200)))
                receiver.receive(.body(Data("plain".utf8)))
                return receiver.receive(.finished(nil))
            }
            receiver.receive(.started)
            receiver.receive(.sent(1))
            receiver.receive(.finished(.cancelled))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        endpoint.timeouts.idle = idle
        endpoint.retryPolicy.backoff = .none
        endpoint.traceCalls(with: setting.tracer)
        endpoint.observation.registerEvents { event in
            switch event.kind {
            case .sent:
                // The attempt times out, and the call reports that while this thread still delivers.
                clock.advance(by: idle)
                retried.wait()
            case .attemptFinished: noted.signal()
            default: break
            }
        }
        let request = Text(path: "text", method: .put, body: .string("1"))
        #expect(try await endpoint.value(for: request) == "plain")
        let spans = setting.spans
        #expect(spans.map { $0.attributes["error.type"] } == [nil, "timeout", nil])
        #expect(spans.first?.events == ["retry netkit.delay=0.0"])
    }
}

extension RequestExecutionOperation {
    /// The outcome as a value.
    fileprivate var result: Result<T.ResponseObjectType, ErrorResponse<T.ErrorType>> {
        get async {
            do throws(ErrorResponse<T.ErrorType>) {
                return .success(try await value)
            } catch {
                return .failure(error)
            }
        }
    }
}

private struct Refusal: Error {}

private struct Refusing: Interceptor {
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        throw Refusal()
    }
}
