import Dispatch
import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Admission per host", .timeLimit(.minutes(15)))
struct AdmissionScenarios {
    private struct Get: Request {
        typealias ResponseObjectType = String
        let path: String
        var headers: HTTPHeaders = [:]
    }

    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/feed") { _ in
            .data(Data("data: 1\n\ndata: never\n\n".utf8), contentType: "text/event-stream")
                .stalling(afterBodyBytes: 9)
        }
        server.route(nil, "/item") { _ in .text("item") }
        server.route(nil, "/token") { _ in .text("new") }
        server.route(nil, "/stall") { _ in .fault(.stall) }
    }

    @Test("admits a call while six event streams are open")
    func events() async throws {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        var sources: [ResponseElements<ServerSentEvent>.AsyncIterator] = []
        for _ in 0..<6 {
            var events = endpoint.events(for: Get(path: "feed")).makeAsyncIterator()
            #expect(try await events.next()?.data == "1")
            sources.append(events)
        }
        #expect(try await endpoint.value(for: Get(path: "item")) == "item")
        #expect(sources.count == 6)
    }

    @Test("admits a call when the open streams exceed the connection limit")
    func streams() async throws {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        var streams: [ResponseStream] = []
        for _ in 0..<7 { streams.append(try await endpoint.stream(Get(path: "feed"))) }
        #expect(try await endpoint.value(for: Get(path: "item")) == "item")
        #expect(streams.count == 7)
    }

    @Test("admits a refresh while calls and streams use all slots")
    func refresh() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 2
        let endpoint = testEndpoint(
            baseURL: server.baseURL,
            sessionConfiguration: configuration,
            retryingCount: 0
        )
        endpoint.maximumConcurrentRequests = 2
        endpoint.maximumConcurrentRequestsPerHost = 2
        endpoint.maximumConcurrentStreamsPerHost = 1
        let hasRefreshed = Journal()
        endpoint.authentication = BearerAuthentication(
            initial: BearerToken("old", expires: .distantPast),
            refreshing: { _, endpoint in
                let token = try await endpoint.value(for: Get(path: "token"))
                hasRefreshed.end()
                return BearerToken(token, expires: .distantFuture)
            }
        )
        // They don't need a token.
        let own: HTTPHeaders = [.authorization: "Basic own"]
        let stalled = (0..<2).map { _ in endpoint.execute(Get(path: "stall", headers: own)) }
        let stream = try await endpoint.stream(Get(path: "feed", headers: own))
        _ = try await server.waitForRequests(3)
        let call = endpoint.execute(Get(path: "item"))
        _ = await hasRefreshed.entries
        for operation in stalled { operation.cancel() }
        #expect(await call.result.value == "item")
        #expect(server.requests.last?.header("Authorization") == "Bearer new")
        withExtendedLifetime(stream) {}
    }

    @Test("cancels new calls and batches in an immediate cancelAllRequests()")
    func cancelAll() async throws {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.maximumConcurrentRequests = 1
        let stalled = endpoint.execute(Get(path: "stall"))
        _ = try await server.waitForRequests(1)
        let operations = (0..<5).map { _ in endpoint.execute(Get(path: "item")) }
        let batch = endpoint.execute(
            (0..<20).map { _ in Get(path: "item") },
            maximumConcurrentRequests: 4
        )
        endpoint.cancelAllRequests()
        for operation in operations + [stalled] {
            #expect(await operation.failure?.kind == .cancelled)
        }
        for result in await batch.results { #expect(result.error?.kind == .cancelled) }
        #expect(server.requests.count == 1)
        #expect(try await endpoint.value(for: Get(path: "item")) == "item")
    }

    @Test("cancels an awaited batch, including its queued calls")
    func cancelAwaitedBatch() async throws {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let requests = (0..<10).map { _ in Get(path: "stall") }
        async let results = endpoint.values(for: requests, maximumConcurrentRequests: 2)
        _ = try await server.waitForRequests(2)
        endpoint.cancelAllRequests()
        for result in await results { #expect(result.error?.kind == .cancelled) }
        #expect(server.requests.count == 2)
    }

    /// Dispatch has 64 threads at most, and the engine worked on them too.
    @Test("runs closures while those of 80 other calls block")
    func blockingClosures() async throws {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let release = DispatchSemaphore(value: 0)
        let count = 80
        defer { for _ in 0..<count { release.signal() } }
        let journal = Journal()
        for _ in 0..<count {
            endpoint.execute(Get(path: "item"))
                .onSuccess { _ in
                    journal.note("blocked")
                    release.wait()
                }
        }
        #expect(await journal.count(of: "blocked", upTo: count) == count)
        let value = await withCheckedContinuation { continuation in
            endpoint.execute(Get(path: "item"))
                .onSuccess { continuation.resume(returning: $0) }
                .onFail { continuation.resume(returning: "\($0)") }
        }
        #expect(value == "item")
    }
}
