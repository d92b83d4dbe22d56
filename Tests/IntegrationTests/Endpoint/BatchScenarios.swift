import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Batches", .timeLimit(.minutes(15)))
struct BatchScenarios {
    private struct Get: Request {
        typealias ResponseObjectType = String
        let number: Int
        var path: String { "items/\(number)" }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/items/*") { request in
            guard let number = request.pathSegments.last.flatMap({ Int($0) }) else {
                return .status(400)
            }
            let answer: MockResponse = number == 4 ? .status(404) : .text("item \(number)")
            // Those that are asked first are answered last.
            return answer.delayed(by: .milliseconds(max(0, 30 - 10 * number)))
        }
        server.route(nil, "/stall/*") { _ in .fault(.stall) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func texts(_ results: [Outcome<Get>]) -> [String] {
        results.map { result in
            switch result {
            case .success(let text): text
            case .failure(.cancelled): "cancelled"
            case .failure(let error): "\(error.statusCode ?? 0)"
            }
        }
    }

    private let requests = (1...10).map { Get(number: $0) }
    private let expected = (1...10).map { $0 == 4 ? "404" : "item \($0)" }

    /// Results in the order of the requests, a failure is one of them.
    @Test("returns results in the order of the requests", arguments: [1, 3, 6, 100])
    func order(limit: Int) async {
        #expect(
            texts(await endpoint.values(for: requests, maximumConcurrentRequests: limit))
                == expected
        )
    }

    /// With closures each is told once, and the end once, after them.
    @Test("calls closures for each result, then for all", arguments: [false, true])
    func callbacks(isOnQueue: Bool) async {
        let queue = DispatchQueue(label: "results", attributes: .concurrent)
        endpoint.responseQueue = isOnQueue ? queue : nil
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        let operation = endpoint.execute(requests)
            .onEach { index, result in sink.yield("\(index + 1): \(texts([result])[0])") }
            .onCompletion { sink.yield(texts($0).joined(separator: ", ")) }
            .onCompletion { _ in sink.finish() }
        var told: [String] = []
        for await event in events { told.append(event) }
        #expect(told.last == expected.joined(separator: ", "))
        #expect(Set(told.dropLast()) == Set(expected.enumerated().map { "\($0 + 1): \($1)" }))
        #expect(told.count == 11)
        #expect(texts(await operation.results) == expected)
    }

    @Test("respects its concurrency limit")
    func limit() async {
        _ = await endpoint.values(for: requests, maximumConcurrentRequests: 2)
        #expect(Set(server.requests.map(\.connectionID)).count <= 2)
    }

    /// Cancelling ends them all; what waits is not sent.
    @Test("cancels all its calls", arguments: CallStyle.allCases)
    func cancel(style: CallStyle) async throws {
        struct Stalled: Request {
            typealias ResponseObjectType = String
            let number: Int
            var path: String { "stall/\(number)" }
        }
        let stalled = (1...10).map { Stalled(number: $0) }
        let results: [Outcome<Stalled>]
        switch style {
        case .callbacks:
            let operation = endpoint.execute(stalled, maximumConcurrentRequests: 3)
            _ = try await server.waitForRequests(3)
            operation.cancel()
            operation.cancel()
            results = await operation.results
        case .async:
            let endpoint = endpoint
            let task = Task { await endpoint.values(for: stalled, maximumConcurrentRequests: 3) }
            _ = try await server.waitForRequests(3)
            task.cancel()
            results = await task.value
        }
        let cancelled = results.filter { if case .cancelled? = $0.error { true } else { false } }
        #expect(cancelled.count == 10)
        #expect(server.requests.count == 3)
    }

    @Test("returns no results for no requests")
    func none() async {
        #expect(await endpoint.values(for: [Get]()).isEmpty)
        #expect(await endpoint.execute([Get]()).results.isEmpty)
    }
}
