import NetKit
import NetKitTesting

/// Logs a line for each event of a call, without secrets.
struct LoggingDemonstration: Demonstration {
    let name = "logging"
    let summary = "write a custom log without secrets"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    /// A custom logger implements one function.
    private struct Lines: NetworkLogger {
        let sink: AsyncStream<String>.Continuation

        func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
            sink.yield("\(level.name): \(message())")
        }
    }

    func run(_ context: Context) async throws {
        context.asked(
            "endpoint.logger = Lines(…); endpoint.value(for: LoginWithFacebookRequest(token: …))"
        )
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        context.endpoint.logger = Lines(sink: sink)
        defer { context.endpoint.logger = .silent }
        _ = try await context.endpoint.value(for: LoginWithFacebookRequest(token: "fake-secret"))
        sink.finish()
        var all: [String] = []
        for await line in lines {
            all.append(line)
            context.cameBack(line)
        }
        context.cameBack("\(all.count) lines")
        try context.expect(
            all.last?.hasPrefix("info: ") == true && !all.joined().contains("fake-secret"),
            "the last line summarizes the call, and no line has the token"
        )
    }
}
