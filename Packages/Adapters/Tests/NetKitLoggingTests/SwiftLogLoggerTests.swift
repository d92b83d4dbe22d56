import Foundation
import Logging
import NetKit
import NetKitLogging
import NetKitTesting
import Testing

@Suite("SwiftLogLogger", .timeLimit(.minutes(5)))
struct SwiftLogLoggerTests {
    /// Keeps the lines and their metadata.
    private struct Handler: LogHandler {
        let lines: AsyncStream<Line>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            lines.yield(("\(event.level) \(event.message)", all.mapValues { "\($0)" }))
        }
    }

    private typealias Line = (text: String, metadata: [String: String])

    private let server: MockServer
    private let endpoint: Endpoint
    private let lines: AsyncStream<Line>
    private let sink: AsyncStream<Line>.Continuation

    init() throws {
        (lines, sink) = AsyncStream.makeStream()
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = Endpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private var allLines: [Line] {
        get async { await lines.reduce(into: [Line]()) { $0.append($1) } }
    }

    private func logger(_ level: Logger.Level) -> SwiftLogLogger {
        let sink = sink
        var logger = Logger(label: "test") { _ in Handler(lines: sink) }
        logger.logLevel = level
        logger[metadataKey: "app"] = "shop"
        return SwiftLogLogger(logger)
    }

    @Test("logs at its level and above, with metadata")
    func metadata() async throws {
        endpoint.logger = logger(.info)
        server.enqueue(.status(503))
        let request = DefaultRequest<String, ServerMessage>(path: "text?key=SECRET")
        _ = try await endpoint.value(for: request)
        sink.finish()
        let all = await allLines
        try #require(all.count == 2)
        #expect(all[0].text.hasPrefix("warning [") && all[0].text.contains("attempt 1: 503"))
        #expect(all[1].text.hasPrefix("info [") && all[1].text.contains("200 OK"))
        let stable = all.map { line in
            line.metadata.filter { !["call", "duration"].contains($0.key) }
        }
        let call = [
            "app": "shop", "request": "DefaultRequest<String, ServerMessage>", "method": "GET",
            "url": "\(server.url("/text?key"))",
        ]
        #expect(
            stable == [
                call.merging(["attempt": "1", "status": "503"]) { $1 },
                call.merging(["attempt": "2", "status": "200"]) { $1 },
            ]
        )
        #expect(
            all.allSatisfy {
                $0.metadata["call"] == all[0].metadata["call"] && $0.metadata["duration"] != nil
            }
        )
    }

    @Test("maps each level to the one of the same name", arguments: NetworkLogLevel.allCases)
    func levels(level: NetworkLogLevel) async {
        let logger = logger(.trace)
        logger.log(level, "line")
        logger.log(level, "line", metadata: ["a": "b"])
        sink.finish()
        let all = await allLines
        #expect(all.map(\.text) == ["\(level.name) line", "\(level.name) line"])
        #expect(all.map(\.metadata) == [["app": "shop"], ["app": "shop", "a": "b"]])
    }

    @Test("builds neither message nor metadata below its level")
    func belowLevel() async {
        func fail<Value>(_ value: Value) -> Value {
            Issue.record("it was made")
            return value
        }
        logger(.error).log(.warning, fail("line"), metadata: fail(["a": "b"]))
        sink.finish()
        #expect(await allLines.isEmpty)
    }
}
