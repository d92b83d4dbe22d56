import InMemoryTracing
import NetKit
import NetKitTesting
import NetKitTracing
import Tracing

/// A tracer in memory that sends its context as W3C Trace Context and W3C Baggage say.
struct W3CTracer: Tracer {
    enum User: ServiceContextKey { typealias Value = String }

    let memory = InMemoryTracer()

    // A tracer has to say by these parameters where a span was started.
    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> InMemorySpan {
        memory.startSpan(
            operationName,
            context: context(),
            ofKind: kind,
            at: instant(),
            function: function,
            file: fileID,
            line: line
        )
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        if let span = context.inMemorySpanContext {
            injector.inject(
                "00-\(span.traceID)-\(span.spanID)-01",
                forKey: "traceparent",
                into: &carrier
            )
        }
        if let user = context[User.self] {
            injector.inject("user=\(user)", forKey: "baggage", into: &carrier)
        }
    }
}

/// A server, an endpoint and a tracer in memory.
struct TraceSetting {
    let server: MockServer
    let endpoint: Endpoint
    let tracer = W3CTracer()

    /// Creates them.
    ///
    /// - Parameter path: The path of the base URL.
    /// - Throws: `MockServerError` where the server can't listen.
    init(path: String = "") throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = Endpoint(baseURL: server.url(path), transport: TransportUnderTest.make())
        endpoint.timeouts.idle = .seconds(3_600)
        endpoint.retryPolicy.backoff = .none
    }

    /// The spans that have ended, in the order in which they began.
    var spans: [RecordedSpan] {
        tracer.memory.finishedSpans.map { RecordedSpan($0) }.sorted { $0.number < $1.number }
    }

    /// The `traceparent` of each request that the server got.
    var parents: [String?] { server.requests.map { $0.header("traceparent") } }
}

/// A span that has ended, to be compared.
struct RecordedSpan: Equatable, Sendable {
    let number: Int
    let id: String
    let parent: String?
    let name: String
    let attributes: [String: String]
    let events: [String]
    let isFailure: Bool
    /// What a request with its context carries.
    let traceparent: String

    init(_ span: FinishedInMemorySpan) {
        id = span.spanID
        number = span.spanID.split(separator: "-").last.flatMap { Int($0) } ?? 0
        parent = span.parentSpanID
        name = "\(span.kind == .client ? "client" : "call") \(span.operationName)"
        attributes = span.attributes.texts
        events = span.events.map { event in
            let texts = event.attributes.texts.sorted { $0.key < $1.key }
            return ([event.name] + texts.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }
        isFailure = span.status?.code == .error
        traceparent = "00-\(span.traceID)-\(span.spanID)-01"
    }
}

extension SpanAttributes {
    /// The attributes as text.
    fileprivate var texts: [String: String] {
        var texts: [String: String] = [:]
        forEach { name, attribute in
            switch attribute {
            case .string(let text): texts[name] = text
            case .int32(let number): texts[name] = "\(number)"
            case .int64(let number): texts[name] = "\(number)"
            case .double(let number): texts[name] = "\(number)"
            default: texts[name] = "another type: \(attribute)"
            }
        }
        return texts
    }
}
