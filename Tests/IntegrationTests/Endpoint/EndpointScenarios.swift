import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Released endpoint", .timeLimit(.minutes(15)))
struct EndpointScenarios {
    /// Watches an endpoint without keeping it.
    private final class Watch {
        weak var endpoint: Endpoint?
        init(_ endpoint: Endpoint) { self.endpoint = endpoint }
    }

    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/ok") { _ in .text("ok") }
        server.route(nil, "/later") { _ in .text("later").delayed(by: .milliseconds(200)) }
        server.route(nil, "/cut") { _ in
            .text("0123456789").delayed(by: .milliseconds(200)).cutting(afterBodyBytes: 4)
        }
    }

    /// The call under way ends as if nothing had happened.
    @Test("lets a call in flight finish", arguments: ["later", "cut"])
    func inFlight(path: String) async throws {
        var endpoint: Endpoint? = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let watch = Watch(try #require(endpoint))
        let journal = Journal()
        endpoint?.execute(TextRequest(path: path))
            .onSuccess { text in
                journal.note(text)
                journal.end()
            }
            .onFail { error in
                journal.note("\(error.kind == .transport(.truncatedResponse))")
                journal.end()
            }
        _ = try await server.waitForRequests(1)
        endpoint = nil
        #expect(await journal.entries == [path == "later" ? "later" : "true"])
        try await server.waitUntilDisconnected()
        await eventually { watch.endpoint == nil }
        #expect(watch.endpoint == nil)
    }

    /// The same where a task waits for the value.
    @Test("lets a call finish for the task awaiting it")
    func inFlightAsync() async throws {
        let baseURL = server.baseURL
        let task = Task {
            try await testEndpoint(baseURL: baseURL, retryingCount: 0)
                .value(for: TextRequest(path: "later"))
        }
        #expect(try await task.value == "later")
        try await server.waitUntilDisconnected()
    }

    /// A call that is cancelled does not keep its endpoint either.
    @Test("is deallocated after a cancelled call")
    func cancelled() async throws {
        server.route(nil, "/stall") { _ in .fault(.stall) }
        var endpoint: Endpoint? = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let watch = Watch(try #require(endpoint))
        var operation = endpoint?.execute(TextRequest(path: "stall"))
        _ = try await server.waitForRequests(1)
        operation?.cancel()
        if let operation { #expect(await outcome(of: operation).error?.kind == .cancelled) }
        operation = nil
        endpoint = nil
        try await server.waitUntilDisconnected()
        await eventually { watch.endpoint == nil }
        #expect(watch.endpoint == nil)
    }

    /// A thousand endpoints, used and dropped, are gone with all they had open.
    @Test("frees its connections and descriptors, a thousand times over")
    func thousand() async {
        // In a process of its own: what is left behind is counted in the whole process.
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            let server = try MockServer()
            server.route(nil, "/ok") { _ in .text("ok") }
            // The first of them have the process open what it keeps.
            var watches = await Self.useAndDrop(10, at: server.baseURL)
            try await server.waitUntilDisconnected()
            let descriptors = openDescriptors()
            for _ in 0..<99 { watches += await Self.useAndDrop(10, at: server.baseURL) }
            try await server.waitUntilDisconnected()
            await eventually { watches.allSatisfy { $0.endpoint == nil } }
            #expect(watches.filter { $0.endpoint != nil }.isEmpty)
            // Some are kept for a while, not one for each endpoint.
            await eventually { openDescriptors() <= descriptors + 20 }
            #expect(openDescriptors() <= descriptors + 20)
            #expect(server.requests.count == 1_000)
        }
    }

    private static func useAndDrop(_ count: Int, at baseURL: URL) async -> [Watch] {
        let endpoints = (0..<count).map { _ in testEndpoint(baseURL: baseURL, retryingCount: 0) }
        let answers = await withTaskGroup(of: String?.self) { group in
            for (number, endpoint) in endpoints.enumerated() {
                let style: CallStyle = number.isMultiple(of: 2) ? .async : .callbacks
                group.addTask {
                    await style.outcome(of: TextRequest(path: "ok"), on: endpoint).value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "ok", count: count))
        return endpoints.map { Watch($0) }
    }
}
