import Dispatch
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

/// What a view of an app is: it belongs to the main actor.
@MainActor
private final class Label {
    var text = ""
}

@Suite("Closures on the main actor", .timeLimit(.minutes(15)))
struct MainActorScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .text("hello") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("updates main-actor state in order with other closures")
    @MainActor
    func order() async throws {
        let label = Label()
        let lines = Locked<[String]>([])
        let operation = TextRequest(path: "x").execute(on: endpoint)
            .onProgress { _ in lines.withLock { $0.append("progress") } }
        operation.onMain
            .onProgress { fraction in
                label.text = "\(fraction)"
                lines.withLock { $0.append("main progress") }
            }
            .onSuccess { text in
                label.text += " \(text)"
                lines.withLock { $0.append("main success") }
            }
            .onFail { error in label.text = error.message }
        let ended = AsyncStream<Void>.makeStream()
        operation.onSuccess { _ in
            lines.withLock { $0.append("success") }
            ended.continuation.finish()
        }
        for await _ in ended.stream {}
        #expect(label.text == "1.0 hello")
        #expect(
            lines.withLock { $0 } == ["progress", "main progress", "main success", "success"]
        )
    }

    @Test("receives the error of a failed call, even late or beside another queue")
    @MainActor
    func failure() async throws {
        let label = Label()
        let operation = TextRequest(path: "missing").execute(on: endpoint)
            .response(on: DispatchQueue(label: "mine"))
        #expect(await operation.failure?.statusCode == 404)
        let ended = AsyncStream<Void>.makeStream()
        operation.onMain.onSuccess { label.text = $0 }
            .onFail { error in
                label.text = "\(error.statusCode ?? 0)"
                ended.continuation.finish()
            }
        for await _ in ended.stream {}
        #expect(label.text == "404")
    }
}
