import Foundation
import NetKit
import NetKitTesting
import Testing

/// All other suites run beside this one, so that a call may be late through no fault of its own.
///
/// It is then made again; a deadline that is wrong is wrong each time.
@Suite("A deadline", .timeLimit(.minutes(15)))
struct TimeoutScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/later") { _ in .text("ok").delayed(by: .milliseconds(250)) }
        server.route(nil, "/trickle") { _ in
            .chunked(Array(repeating: Data("x".utf8), count: 2_000), every: .milliseconds(20))
        }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// Makes a call, again where the machine was too busy for it, and gives its last outcome.
    private func punctual(
        _ call: () async -> Outcome<TextRequest>,
        isOnTime: (Outcome<TextRequest>) -> Bool = { _ in true },
        within limits: ClosedRange<Duration>
    ) async -> Outcome<TextRequest> {
        var outcome = Outcome<TextRequest>.failure(.cancelled)
        var durations: [Duration] = []
        for _ in 0..<6 {
            let start = ContinuousClock.now
            outcome = await call()
            let duration = ContinuousClock.now - start
            #expect(duration >= limits.lowerBound)
            if limits.contains(duration), isOnTime(outcome) { return outcome }
            durations.append(duration)
        }
        Issue.record("never on time: \(durations)")
        return outcome
    }

    /// What half a second may be: URLSession on Linux would make it a whole one, or none.
    private let halfASecond = Duration.milliseconds(400)...Duration.milliseconds(1_500)

    /// Half a second is half a second.
    @Test("of half a second fires after half a second of silence", arguments: CallStyle.allCases)
    func silence(style: CallStyle) async throws {
        let request = TextRequest(path: "stall", timeout: 0.5)
        let outcome = await punctual(
            { await style.outcome(of: request, on: endpoint) },
            within: halfASecond
        )
        #expect(outcome.error?.kind == .timeout(.idle))
    }

    /// A fraction of a second is not cut off.
    @Test("below a second lets an answer through that comes in time", arguments: CallStyle.allCases)
    func inTime(style: CallStyle) async throws {
        let request = TextRequest(path: "later", timeout: 0.5)
        let outcome = await punctual(
            { await style.outcome(of: request, on: endpoint) },
            isOnTime: { $0.value == "ok" },
            within: .milliseconds(250)...(.seconds(30))
        )
        #expect(outcome.value == "ok")
    }

    /// The operation's timeout goes over the request's, that over the endpoint's.
    @Test("of the operation comes before the request's, and that before the endpoint's")
    func precedence() async throws {
        endpoint.timeouts.idle = .milliseconds(500)
        let endpoints = await punctual(
            { await CallStyle.async.outcome(of: TextRequest(path: "stall"), on: endpoint) },
            within: halfASecond
        )
        #expect(endpoints.error?.kind == .timeout(.idle))

        endpoint.timeouts.idle = .milliseconds(1)
        let patient = TextRequest(path: "later", timeout: 30)
        #expect(await CallStyle.async.outcome(of: patient, on: endpoint).value == "ok")

        let stalled = TextRequest(path: "stall", timeout: 30)
        let operations = await punctual(
            { await outcome(of: stalled.execute(on: endpoint).timeout(after: 0.5)) },
            within: halfASecond
        )
        #expect(operations.error?.kind == .timeout(.idle))
    }

    /// Silence is measured anew with each byte; the whole call has its own limit.
    @Test("for the whole call fires although bytes keep coming", arguments: CallStyle.allCases)
    func total(style: CallStyle) async throws {
        endpoint.timeouts = Timeouts(idle: .seconds(30), total: .milliseconds(500))
        let outcome = await punctual(
            { await style.outcome(of: TextRequest(path: "trickle"), on: endpoint) },
            within: halfASecond
        )
        #expect(outcome.error?.kind == .timeout(.total))
    }

    /// The whole call's limit of one operation.
    @Test("for the whole call can be given to one operation")
    func operationDeadline() async throws {
        let request = TextRequest(path: "trickle")
        let told = await punctual(
            {
                await outcome(of: request.execute(on: endpoint).deadline(after: .milliseconds(500)))
            },
            within: halfASecond
        )
        #expect(told.error?.kind == .timeout(.total))
    }

    /// Bytes that keep coming keep the call alive, though it lasts longer.
    @Test("for silence does not count a response that is only slow")
    func slow() async throws {
        let text = String(repeating: "x", count: 15)
        server.route(nil, "/slow") { _ in
            .chunked(text.utf8.map { Data([$0]) }, every: .milliseconds(100))
        }
        let request = TextRequest(path: "slow", timeout: 1)
        let outcome = await punctual(
            { await CallStyle.async.outcome(of: request, on: endpoint) },
            isOnTime: { $0.value == text },
            within: .seconds(1)...(.seconds(30))
        )
        #expect(outcome.value == text)
    }

    /// A timeout ends the connection, and the endpoint goes on.
    @Test("that fires gives the connection up and leaves the endpoint usable")
    func afterwards() async throws {
        let stalled = TextRequest(path: "stall", timeout: 0.2)
        let error = await CallStyle.callbacks.outcome(of: stalled, on: endpoint).error
        #expect(error?.kind == .timeout(.idle))
        // A connection that was not there in time, on a busy machine, may be kept for the next request.
        if server.requestCount > 0 { try await server.waitUntilDisconnected() }
        server.route(nil, "/x") { _ in .text("ok") }
        #expect(try await endpoint.value(for: TextRequest(path: "x")) == "ok")
    }
}
