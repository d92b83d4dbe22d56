import Dispatch
import Foundation
import NetKit
import NetKitTesting
import Testing

/// In real time a deadline is measured from below alone: a busy machine may be late, nothing may be early.
///
/// What is in time and what is not stands on a clock that is moved by hand.
@Suite("Timeouts", .timeLimit(.minutes(15)))
struct TimeoutScenarios {
    private struct PatientRequest: Request {
        typealias ResponseObjectType = String
        let path: String
        let timeout: Duration = .seconds(30)
    }

    private struct BriefRequest: Request {
        typealias ResponseObjectType = String
        var path: String { "stall" }
        var timeout: Duration? { .milliseconds(500) }
    }

    private let server: MockServer
    private let endpoint: Endpoint
    /// Over the same transport, on ``clock``.
    private let manual: Endpoint
    private let clock = ManualClock()
    /// Each signal lets `/gate` answer one request.
    private let gate = DispatchSemaphore(value: 0)

    init() throws {
        server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/gate") { [gate] _ in
            gate.wait()
            return .text("ok")
        }
        server.route(nil, "/trickle") { _ in
            .chunked(Array(repeating: Data("x".utf8), count: 100_000), every: .milliseconds(20))
        }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        manual = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
    }

    /// Makes a call that lasts for half a second at least, and gives its error.
    private func failureAfterHalfASecond(
        _ call: () async -> Outcome<TextRequest>
    ) async -> FailureKind? {
        let start = ContinuousClock.now
        let outcome = await call()
        #expect(ContinuousClock.now - start >= .milliseconds(500))
        return outcome.error?.kind
    }

    /// URLSession on Linux would make it a whole second, or none.
    @Test("fires after half a second without a byte", arguments: CallStyle.allCases)
    func silence(style: CallStyle) async {
        let request = TextRequest(path: "stall", timeout: 0.5)
        let failure = await failureAfterHalfASecond {
            await style.outcome(of: request, on: endpoint)
        }
        #expect(failure == .timeout(.idle))
    }

    @Test(
        "below a second admits a response 1 ms early, and none 1 ms late",
        arguments: CallStyle.allCases
    )
    func inTime(style: CallStyle) async throws {
        let request = TextRequest(path: "gate", timeout: 0.5)
        async let inTime = style.outcome(of: request, on: manual)
        try await server.waitForRequests(1)
        clock.advance(by: .milliseconds(499))
        gate.signal()
        #expect(await inTime.value == "ok")

        async let late = style.outcome(of: request, on: manual)
        try await server.waitForRequests(2)
        clock.advance(by: .milliseconds(500))
        #expect(await late.error?.kind == .timeout(.idle))
        gate.signal()
    }

    @Test("ends a call at a deadline that has passed, also on a clock that is moved by hand")
    func passedDeadline() async throws {
        let request = TextRequest(path: "stall")
        let first = request.execute(on: manual).deadline(after: .zero)
        #expect(await first.failure?.kind == .timeout(.total))
        let second = request.execute(on: manual)
        try await server.waitForRequests(server.requests.count + 1)
        clock.advance(by: .seconds(5))
        second.deadline(after: .seconds(2))
        #expect(await second.failure?.kind == .timeout(.total))
    }

    @Test("prefers the operation's timeout, then the request's, then the endpoint's")
    func precedence() async throws {
        manual.timeouts.idle = .milliseconds(500)
        async let endpoints = CallStyle.async.outcome(of: TextRequest(path: "stall"), on: manual)
        try await server.waitForRequests(1)
        clock.advance(by: .milliseconds(500))
        #expect(await endpoints.error?.kind == .timeout(.idle))

        manual.timeouts.idle = .milliseconds(1)
        let patient = PatientRequest(path: "gate")
        async let requests = CallStyle.async.outcome(of: patient, on: manual)
        try await server.waitForRequests(2)
        clock.advance(by: .seconds(29))
        gate.signal()
        #expect(await requests.value == "ok")

        let stalled = PatientRequest(path: "stall")
        async let operations = outcome(
            of: stalled.execute(on: manual).timeout(after: .milliseconds(500))
        )
        try await server.waitForRequests(3)
        clock.advance(by: .milliseconds(500))
        #expect(await operations.error?.kind == .timeout(.idle))
    }

    @Test("is a Duration of the request, also through wrappers")
    func durations() async throws {
        let brief = BriefRequest().execute(on: manual).onSuccess { _ in }
        try await server.waitForRequests(1)
        clock.advance(by: .milliseconds(500))
        #expect(await brief.failure?.kind == .timeout(.idle))

        manual.timeouts.idle = .milliseconds(1)
        let wrapped = AnyRequest(PatientRequest(path: "gate"))
        let patient = wrapped.execute(on: manual).onSuccess { _ in }
        try await server.waitForRequests(2)
        clock.advance(by: .seconds(29))
        gate.signal()
        #expect(try await patient.value.text == "ok")
    }

    /// The whole call has a limit of its own, which bytes do not move.
    @Test("fires at the total deadline even while bytes arrive", arguments: CallStyle.allCases)
    func total(style: CallStyle) async {
        endpoint.timeouts = Timeouts(idle: .seconds(3_600), total: .milliseconds(500))
        let failure = await failureAfterHalfASecond {
            await style.outcome(of: TextRequest(path: "trickle"), on: endpoint)
        }
        #expect(failure == .timeout(.total))
    }

    @Test("sets a total deadline for one operation")
    func operationDeadline() async {
        let request = TextRequest(path: "trickle", timeout: 3_600)
        let failure = await failureAfterHalfASecond {
            await outcome(of: request.execute(on: endpoint).deadline(after: .milliseconds(500)))
        }
        #expect(failure == .timeout(.total))
    }

    /// Bytes that keep coming keep the call alive, though it lasts longer.
    @Test("doesn't count a slow response as idle")
    func slow() async throws {
        let text = String(repeating: "x", count: 15)
        let stub = StubTransport(clock: clock)
        stub.on(.get, "/slow") { _ in
            .pieces(text.utf8.map { Data([$0]) }, every: .milliseconds(900))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: stub, clock: clock)
        async let value = endpoint.value(for: TextRequest(path: "slow", timeout: 1))
        for _ in text.dropFirst() {
            // The next byte, and the end of the silence.
            try await clock.waitForWaiters(2)
            clock.advance(by: .milliseconds(900))
        }
        #expect(try await value == text)
    }

    /// A timeout ends the connection, and the endpoint goes on.
    @Test("closes the connection and leaves the endpoint usable")
    func afterwards() async throws {
        async let stalled = CallStyle.callbacks.outcome(of: TextRequest(path: "stall"), on: manual)
        try await server.waitForRequests(1)
        clock.advance(by: .seconds(60))
        #expect(await stalled.error?.kind == .timeout(.idle))
        try await server.waitUntilDisconnected()
        server.route(nil, "/x") { _ in .text("ok") }
        #expect(try await manual.value(for: TextRequest(path: "x")) == "ok")
    }
}
