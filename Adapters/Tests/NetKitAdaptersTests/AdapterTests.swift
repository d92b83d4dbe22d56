import Foundation
import Logging
import Metrics
import MetricsTestKit
import NetKit
import NetKitAdapters
import NetKitTesting
import Testing

@Suite("Adapters", .serialized)
struct AdapterTests {
    /// Keeps what is logged.
    private struct Handler: LogHandler {
        let lines: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.yield("\(event.level) \(event.message)")
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = Endpoint(baseURL: server.baseURL)
    }

    private let request = DefaultRequest<String, ServerMessage>(path: "text", method: .get)

    @Test("logs to swift-log at its level and above")
    func logging() async throws {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        var logger = Logger(label: "test") { _ in Handler(lines: sink) }
        logger.logLevel = .info
        endpoint.logger = SwiftLogLogger(logger)
        _ = try await endpoint.value(for: request)
        sink.finish()
        let all = await lines.reduce(into: [String]()) { $0.append($1) }
        #expect(all.count == 1)
        #expect(all.first?.hasPrefix("info [") == true)
        #expect(all.first?.contains("200 OK") == true)
    }

    @Test("records counts and durations in swift-metrics")
    func metrics() async throws {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        endpoint.reportMetrics()
        _ = try await endpoint.value(for: request)
        let dimensions = [
            ("request", "DefaultRequest<String, ServerMessage>"), ("method", "GET"),
            ("host", "127.0.0.1"), ("status", "200"), ("outcome", "success"), ("attempts", "1"),
            ("cache", "uncached"),
        ]
        #expect(try metrics.expectCounter("http.client.calls", dimensions).totalValue == 1)
        let timer = try metrics.expectTimer("http.client.call.duration", dimensions)
        #expect(timer.values.count == 1)
        #expect((timer.values.first ?? 0) > 0)
        #expect(metrics.counters.contains { $0.label == "http.client.attempts" })
    }
}
