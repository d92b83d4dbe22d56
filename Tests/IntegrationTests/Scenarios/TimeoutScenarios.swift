import Foundation
import NetKit
import NetKitTesting
import Testing

/// Upper bounds are generous: the machine may be busy with all the other suites.
@Suite("A deadline", .timeLimit(.minutes(1)))
struct TimeoutScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let fires = Duration.milliseconds(400)...Duration.seconds(10)

    init() throws {
        server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/later") { _ in .text("ok").delayed(by: .milliseconds(250)) }
        server.route(nil, "/trickle") { _ in
            .chunked(Array(repeating: Data("x".utf8), count: 2_000), every: .milliseconds(20))
        }
        endpoint = Endpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func timed<T>(_ work: () async -> T) async -> (T, Duration) {
        let start = ContinuousClock.now
        let result = await work()
        return (result, ContinuousClock.now - start)
    }

    /// Scenario 36: half a second is half a second, which URLSession on Linux does not know.
    @Test("of half a second fires after half a second of silence", arguments: CallStyle.allCases)
    func halfASecond(style: CallStyle) async throws {
        let request = TextRequest(path: "stall", timeout: 0.5)
        let (outcome, duration) = await timed { await style.outcome(of: request, on: endpoint) }
        #expect(outcome.error?.kind == .timeout(.idle))
        #expect(fires.contains(duration), "\(duration)")
    }

    /// Scenario 36: a fraction of a second is not cut off either.
    @Test("below a second lets an answer through that comes in time", arguments: CallStyle.allCases)
    func inTime(style: CallStyle) async throws {
        let request = TextRequest(path: "later", timeout: 0.9)
        #expect(await style.outcome(of: request, on: endpoint).value == "ok")
    }

    /// Scenario 36: the operation's timeout goes over the request's, that over the endpoint's.
    @Test("of the operation comes before the request's, and that before the endpoint's")
    func precedence() async throws {
        endpoint.timeouts.idle = .milliseconds(500)
        let (first, duration) = await timed {
            await CallStyle.async.outcome(of: TextRequest(path: "stall"), on: endpoint)
        }
        #expect(first.error?.kind == .timeout(.idle))
        #expect(fires.contains(duration), "\(duration)")

        endpoint.timeouts.idle = .milliseconds(1)
        let patient = TextRequest(path: "later", timeout: 30)
        #expect(await CallStyle.async.outcome(of: patient, on: endpoint).value == "ok")

        let (second, shorter) = await timed {
            let request = TextRequest(path: "stall", timeout: 30)
            return await outcome(of: request.execute(on: endpoint).timeout(after: 0.5))
        }
        #expect(second.error?.kind == .timeout(.idle))
        #expect(fires.contains(shorter), "\(shorter)")
    }

    /// Scenario 36: silence is measured anew with each byte; the whole call has its own limit.
    @Test("for the whole call fires although bytes keep coming")
    func total() async throws {
        endpoint.timeouts = Timeouts(idle: .seconds(30), total: .milliseconds(500))
        let (outcome, duration) = await timed {
            await CallStyle.async.outcome(of: TextRequest(path: "trickle"), on: endpoint)
        }
        #expect(outcome.error?.kind == .timeout(.total))
        #expect(fires.contains(duration), "\(duration)")
    }

    /// Scenario 36: the whole call's limit of one operation.
    @Test("for the whole call can be given to one operation")
    func operationDeadline() async throws {
        let operation = TextRequest(path: "trickle").execute(on: endpoint)
            .deadline(after: .milliseconds(500))
        let (told, duration) = await timed { await outcome(of: operation) }
        #expect(told.error?.kind == .timeout(.total))
        #expect(fires.contains(duration), "\(duration)")
    }

    /// Scenario 36: bytes that keep coming keep the call alive, though it lasts longer.
    @Test("for silence does not count a response that is only slow")
    func slow() async throws {
        server.route(nil, "/slow") { _ in
            .chunked(Array(repeating: Data("x".utf8), count: 15), every: .milliseconds(100))
        }
        let request = TextRequest(path: "slow", timeout: 1)
        let (outcome, duration) = await timed {
            await CallStyle.async.outcome(of: request, on: endpoint)
        }
        #expect(outcome.value == String(repeating: "x", count: 15))
        #expect(duration > .seconds(1))
    }

    /// Scenario 36: a timeout ends the connection, and the endpoint goes on.
    @Test("that fires gives the connection up and leaves the endpoint usable")
    func afterwards() async throws {
        let stalled = TextRequest(path: "stall", timeout: 0.2)
        let error = await CallStyle.callbacks.outcome(of: stalled, on: endpoint).error
        #expect(error?.kind == .timeout(.idle))
        try await server.waitUntilDisconnected()
        server.route(nil, "/x") { _ in .text("ok") }
        #expect(try await endpoint.value(for: TextRequest(path: "x")) == "ok")
    }
}
