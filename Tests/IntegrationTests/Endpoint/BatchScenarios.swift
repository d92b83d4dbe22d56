import Foundation
import NetKit
import NetKitSupport
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

    private struct Part: Request {
        typealias ResponseObjectType = String
        var path: String
    }

    @Test("returns the values in the order of the requests if all calls succeed")
    func values() async throws {
        let requests = [3, 1, 2].map { Get(number: $0) }
        let operation = endpoint.execute(requests)
        #expect(try await operation.values == ["item 3", "item 1", "item 2"])
        #expect(try await operation.values.count == 3)
        #expect(try await endpoint.execute([Get]()).values == [])
    }

    /// A failure before the values are awaited stops nothing until then.
    @Test(
        "throws the first failure and cancels the other calls, also when it came before",
        arguments: [false, true]
    )
    func firstFailure(isEarlier: Bool) async throws {
        let paths = ["stall/1", "items/4", "stall/2", "stall/3"]
        let failed = Locked(false)
        let operation = endpoint.execute(
            paths.map { Part(path: $0) },
            maximumConcurrentRequests: isEarlier ? 3 : 2
        )
        operation.onEach { _, result in
            if case .failure = result { failed.withLock { $0 = true } }
        }
        if isEarlier {
            await eventually { failed.withLock { $0 } }
            // The call that the failed one made room for has started too.
            try await server.waitForRequests(4)
        }
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await operation.values
        }
        #expect(error?.status == 404)
        let results = await operation.results
        let kinds = results.map { result in
            switch result {
            case .success: "value"
            case .failure(.cancelled): "canceled"
            case .failure(let error): "\(error.statusCode ?? 0)"
            }
        }
        #expect(kinds == ["canceled", "404", "canceled", "canceled"])
    }

    @Test("cancels the calls when the task that awaits the values is canceled")
    func cancelValues() async throws {
        let operation = endpoint.execute([Part(path: "stall/1"), Part(path: "stall/2")])
        let task = Task { try await operation.values }
        try await server.waitForRequests(2)
        task.cancel()
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await task.value
        }
        #expect(error?.isCancellation == true)
    }

    private struct Report: Equatable {
        var index: Int
        var call: Double
        var batch: Double
    }

    /// A body of two bytes, of which one arrives, is half of its call.
    @Test("reports the progress of each call and of the batch, and once more before each result")
    func progress() async throws {
        server.route("GET", "/half") { _ in .text("ab").stalling(afterBodyBytes: 1) }
        let journals = [Journal(), Journal()]
        let reports = Locked<[Report]>([])
        let operation = endpoint.execute(
            [Part(path: "half"), Part(path: "items/1")],
            maximumConcurrentRequests: 1
        )
        operation
            .onProgress { index, call, batch in
                reports.withLock { $0.append(Report(index: index, call: call, batch: batch)) }
                journals[index].note("\(call)")
            }
            .onEach { index, _ in journals[index].note("end") }
            .onCompletion { _ in for journal in journals { journal.end() } }
        await eventually { !reports.withLock { $0.isEmpty } }
        #expect(reports.withLock { $0 } == [Report(index: 0, call: 0.5, batch: 0.25)])
        operation.cancel()
        #expect(await journals[0].entries == ["0.5", "0.5", "end"])
        #expect(await journals[1].entries == ["0.0", "end"])
        #expect(reports.withLock { $0.last?.batch } == 1)
    }

    @Test("reports values that only increase, and 1 for each call that succeeds")
    func progressValues() async throws {
        server.route("GET", "/unknown") { _ in .chunked([Data("a".utf8), Data("b".utf8)]) }
        let reports = Locked<[Report]>([])
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let paths = ["items/1", "unknown", "items/4", "items/5"]
        endpoint.execute(paths.map { Part(path: $0) }, maximumConcurrentRequests: 2)
            .onProgress { index, call, batch in
                reports.withLock { $0.append(Report(index: index, call: call, batch: batch)) }
            }
            .onCompletion { _ in end.finish() }
        for await _ in ended {}
        let all = reports.withLock { $0 }
        #expect(all.map(\.batch) == all.map(\.batch).sorted())
        #expect(all.last?.batch == 1)
        for (index, last) in [1.0, 1, 0, 1].enumerated() {
            let calls = all.filter { $0.index == index }.map(\.call)
            #expect(calls == calls.sorted())
            #expect(calls.last == last)
        }
        // A length that is unknown gives no fraction before the end.
        #expect(Set(all.filter { $0.index == 1 }.map(\.call)) == [1])
    }

    @Test("gives a late progress handler the latest progress of each call")
    func lateProgress() async throws {
        let operation = endpoint.execute([Get(number: 5), Get(number: 4)])
        _ = await operation.results
        let (reports, sink) = AsyncStream.makeStream(of: Report.self)
        operation.onProgress { index, call, batch in
            sink.yield(Report(index: index, call: call, batch: batch))
            if index == 1 { sink.finish() }
        }
        var all: [Report] = []
        for await report in reports { all.append(report) }
        #expect(
            all == [Report(index: 0, call: 1, batch: 1), Report(index: 1, call: 0, batch: 1)]
        )
    }
}
