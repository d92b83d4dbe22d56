import Dispatch
import Foundation
import NetKitCache
import NetKitPaging
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Repeated requests", .timeLimit(.minutes(15)))
struct RepeatingScenarios {
    private struct State: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = APIError
        let path = "state"
    }

    private let server: MockServer
    private let clock = ManualClock(skippingDelays: true)
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = Self.endpoint(server, clock)
    }

    private static func endpoint(_ server: MockServer, _ clock: ManualClock) -> Endpoint {
        Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 1,
            clock: clock
        )
    }

    private func item(_ id: Int) throws -> MockResponse { try .json(Item(id: id)) }

    /// The error that ends a sequence, and the identifiers before it.
    private func ending(
        _ values: ResponseElements<Item>
    ) async -> (ids: [Int], error: ErrorResponse<APIError>?) {
        var ids: [Int] = []
        do {
            for try await value in values { ids.append(value.id) }
            return (ids, nil)
        } catch {
            return (ids, error as? ErrorResponse<APIError>)
        }
    }

    @Test("sends the request again after each pause, until the loop exits")
    func order() async throws {
        server.enqueue(try item(1), try item(1), try item(2))
        var ids: [Int] = []
        for try await value in endpoint.repeating(State(), every: .seconds(5)) {
            ids.append(value.id)
            if value.id == 2 { break }
        }
        #expect(ids == [1, 1, 2])
        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == [
                "GET /state", "GET /state", "GET /state",
            ]
        )
        #expect(clock.skippedDelays == [.seconds(5), .seconds(5)])
    }

    @Test(
        "measures the pause from the end of the previous call, whatever its reader does meanwhile"
    )
    func pause() async throws {
        let clock = ManualClock()
        let endpoint = Self.endpoint(server, clock)
        let values = endpoint.repeating(State(), every: .seconds(10))
        var iterator = values.makeAsyncIterator()
        server.enqueue(try item(1), try item(2), try item(3))
        #expect(try await iterator.next()?.id == 1)
        // Longer than the pause.
        clock.advance(by: .seconds(11))
        #expect(try await iterator.next()?.id == 2)
        clock.advance(by: .seconds(4))
        let reading = Task { [iterator] in
            var iterator = iterator
            return try await iterator.next()?.id
        }
        try await clock.waitForWaiters(1)
        clock.advance(by: .milliseconds(5_999))
        #expect(clock.waiterCount == 1)
        #expect(server.requests.count == 2)
        clock.advance(by: .milliseconds(1))
        #expect(try await reading.value == 3)
    }

    @Test("reloads with the standard cache policy, and keeps another one")
    func cache() async throws {
        struct Stored: Request {
            typealias ResponseObjectType = Item
            let path = "state"
            var cachePolicy = CachePolicy.standard
        }
        endpoint.cache = .memory()
        for id in 1...3 { server.enqueue(try item(id).header("Cache-Control", "max-age=600")) }
        var ids: [Int] = []
        for try await value in endpoint.repeating(Stored(), every: .seconds(5)) {
            ids.append(value.id)
            if ids.count == 3 { break }
        }
        #expect(ids == [1, 2, 3])
        // The responses are stored for other calls.
        #expect(try await endpoint.value(for: Stored()).id == 3)
        let stored = Stored(cachePolicy: .onlyIfCached)
        for try await value in endpoint.repeating(stored, every: .seconds(5)) {
            ids.append(value.id)
            if ids.count == 5 { break }
        }
        #expect(ids == [1, 2, 3, 3, 3])
        #expect(server.requests.count == 3)
    }

    @Test("ends with the call's typed error, after its retries")
    func failure() async throws {
        server.enqueue(
            try item(1),
            .json(text: #"{"message":"busy"}"#, status: 503),
            .json(text: #"{"message":"gone"}"#, status: 410)
        )
        var values = endpoint.repeating(State(), every: .seconds(1)).makeAsyncIterator()
        #expect(try await values.next()?.id == 1)
        let error = await #expect(throws: ErrorResponse<APIError>.self) {
            try await values.next()
        }
        #expect(error?.serverError == APIError(message: "gone"))
        #expect(try await values.next() == nil)
        #expect(server.requests.count == 3)
    }

    @Test("starts with a call of its own for each iterator")
    func iterators() async throws {
        server.enqueue(try item(1), try item(2))
        let values = endpoint.repeating(State(), every: .seconds(1))
        #expect(server.requests.isEmpty)
        for id in 1...2 {
            var iterator = values.makeAsyncIterator()
            #expect(try await iterator.next()?.id == id)
        }
        #expect(clock.skippedDelays.isEmpty)
    }

    @Test("refuses a pause that isn't positive", arguments: [Duration.zero, .seconds(-1)])
    func noPause(pause: Duration) async {
        let (ids, error) = await ending(endpoint.repeating(State(), every: pause))
        #expect(ids.isEmpty)
        #expect(error?.kind == .transport(.unsupported))
        #expect(server.requests.isEmpty)
    }

    @Test("refuses a download")
    func download() async {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        var values = endpoint.repeating(State().download(to: file), every: .seconds(1))
            .makeAsyncIterator()
        let error = await #expect(throws: ErrorResponse<APIError>.self) {
            try await values.next()
        }
        #expect(error?.kind == .transport(.unsupported))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "stops at once when canceled, in a pause or a request",
        arguments: [false, true],
        [false, true]
    )
    func cancelling(all: Bool, isWaiting: Bool) async throws {
        server.enqueue(try item(1))
        if !isWaiting { server.enqueue(.fault(.stall)) }
        let clock = ManualClock(skippingDelays: !isWaiting)
        let endpoint = Self.endpoint(server, clock)
        let hasValue = Locked(false)
        let task = Task {
            for try await _ in endpoint.repeating(State(), every: .seconds(300)) {
                hasValue.withLock { $0 = true }
            }
        }
        if isWaiting {
            await eventually { hasValue.withLock { $0 } }
            try await clock.waitForWaiters(1)
        } else {
            try await server.waitForRequests(2)
        }
        if all { endpoint.cancelAllRequests() } else { task.cancel() }
        let error = await #expect(throws: ErrorResponse<APIError>.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(server.requests.count == (isWaiting ? 1 : 2))
    }

    @Test("stops in a request that begins while all requests are canceled")
    func cancellingBetween() async throws {
        let clock = ManualClock()
        let endpoint = Self.endpoint(server, clock)
        let (count, isCancelled) = (Locked(0), DispatchSemaphore(value: 0))
        let item = try item(1)
        server.route("GET", "/state") { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst { isCancelled.wait() }
            return item
        }
        let hasValue = Locked(false)
        let task = Task {
            var values = endpoint.repeating(State(), every: .seconds(30)).makeAsyncIterator()
            _ = try await values.next()
            hasValue.withLock { $0 = true }
            return try await values.next()
        }
        await eventually { hasValue.withLock { $0 } && endpoint.callsUnderWay == 1 }
        try await clock.waitForWaiters(1)
        let calls = endpoint.calls.withLock { $0.controls }
        clock.advance(by: .seconds(30))
        try await server.waitForRequests(2)
        // What cancelAllRequests() does if it doesn't know the second request yet.
        for call in calls { call.stop(.cancelled) }
        isCancelled.signal()
        let error = await #expect(throws: ErrorResponse<APIError>.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }
}
