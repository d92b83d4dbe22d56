import Foundation
import NetKit
import Testing

@testable import NetKitTesting

@Suite("FaultyTransport", .timeLimit(.minutes(15)))
struct FaultyTransportTests {
    private let stub = StubTransport()

    init() {
        stub.on(nil, "/*") { .text("0123456789 \($0.path)") }
    }

    @Test(
        "produces the scripted fault, and records it",
        arguments: [
            (.refuseConnection, .cannotConnect, 0),
            (.loseBeforeRequest, .connectionLost, 0),
            (.loseBeforeResponse, .connectionLost, 1),
            (.cut(afterBodyBytes: 0), .truncatedResponse, 1),
            (.cut(afterBodyBytes: 4), .truncatedResponse, 1),
            (.cut(afterBodyBytes: 13), .truncatedResponse, 1),
        ] as [(TransportFault, TransportError.Kind, Int)]
    )
    func script(fault: TransportFault, kind: TransportError.Kind, arrived: Int) async throws {
        let faulty = FaultyTransport(wrapping: stub)
        faulty.script(nil, fault)
        let endpoint = try endpoint(over: faulty)
        let request = TextRequest(path: "a", queryParams: [("token", "s3cret")])
        #expect(try await endpoint.value(for: request) == "0123456789 /a")
        #expect(await endpoint.transportError(of: request)?.kind == kind)
        #expect(try await endpoint.value(for: request) == "0123456789 /a")
        #expect(stub.requests.count == 2 + arrived)
        #expect(faulty.injectedFaults.map(\.number) == [2])
        #expect(faulty.injectedFaults.first?.fault == fault)
        #expect(faulty.injectedFaults.first?.request == "GET https://nest.invalid/a?token")
    }

    @Test("delivers the bytes before a cut, and keeps a shorter body whole")
    func cuts() async throws {
        let faulty = FaultyTransport(wrapping: stub)
        faulty.script(.cut(afterBodyBytes: 4), .cut(afterBodyBytes: 1000))
        let endpoint = try endpoint(over: faulty)
        var received = Data()
        await #expect(throws: StreamFailure.self) {
            for try await piece in try await endpoint.stream(TextRequest(path: "a")) {
                received += piece
            }
        }
        #expect(received == Data("0123".utf8))
        #expect(try await endpoint.value(for: TextRequest(path: "a")) == "0123456789 /a")
        #expect(faulty.injectedFaults.map(\.number) == [1])
    }

    @Test("delays pieces by the given clock")
    func drips() async throws {
        let clock = ManualClock()
        let faulty = FaultyTransport(wrapping: stub, clock: clock)
        faulty.script(.drip(bytes: 5, every: .seconds(60)))
        let endpoint = try endpoint(over: faulty)
        async let pieces = {
            var pieces: [String] = []
            for try await piece in try await endpoint.stream(TextRequest(path: "a")) {
                pieces.append(String(decoding: piece, as: UTF8.self))
            }
            return pieces
        }()
        for _ in 0..<3 {
            try await clock.waitForWaiters(1)
            clock.advance(by: .seconds(60))
        }
        #expect(try await pieces == ["01234", "56789", " /a"])
    }

    @Test("simulates an overload the endpoint waits out", arguments: [429, 503] as [HTTPStatus])
    func storms(status: HTTPStatus) async throws {
        let clock = ManualClock()
        let faulty = FaultyTransport(wrapping: stub)
        let fault = TransportFault.answer(status, retryAfter: .milliseconds(1500))
        faulty.script(fault, fault, nil)
        let url = try #require(URL(string: "https://nest.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: faulty, retryingCount: 2, clock: clock)
        let operation = endpoint.execute(TextRequest(path: "a"))
        for number in 1...2 {
            // A wait counts from when it was decided on, which is in the history.
            await eventually { operation.history.count >= number }
            clock.advance(by: .seconds(2))
        }
        #expect(try await operation.response.attempts == 3)
        #expect(faulty.injectedFaults.map(\.fault) == [fault, fault])
        #expect(stub.requests.count == 1)
    }

    @Test("stops a slow response, and the wrapped exchange, when the call is cancelled")
    func cancellation() async throws {
        let clock = ManualClock()
        let slow = StubTransport(clock: clock)
        slow.on(.get, "/a") { _ in
            .pieces([Data("one".utf8), Data("two".utf8)], every: .seconds(10))
        }
        let faulty = FaultyTransport(wrapping: slow, clock: clock)
        faulty.script(.drip(bytes: 1, every: .seconds(60)))
        let endpoint = try endpoint(over: faulty)
        let call = Task { await endpoint.outcome(of: TextRequest(path: "a")) }
        try await clock.waitForWaiters(2)
        call.cancel()
        guard case .failure(.cancelled) = await call.value else {
            Issue.record("not cancelled")
            return
        }
        await eventually { clock.waiterCount == 0 }
        #expect(clock.waiterCount == 0)
    }

    @Test("lets a fault last for a number of requests, or for all later ones")
    func lasting() throws {
        var plan = FaultPlan(seed: 7)
        plan.script = [nil, nil]
        plan.rules = [
            FaultPlan.Rule(fault: .refuseConnection, probability: 0, length: .max),
            FaultPlan.Rule(fault: .loseBeforeRequest, probability: 0.1, length: 3),
            FaultPlan.Rule(fault: .loseBeforeResponse, probability: 0.001, length: .max),
        ]
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let request = EncodedRequest(url: url, method: .get)
        let numbers = 1...20_000
        let chance = plan.chance
        let starts = numbers.map { chance.happens(0.1, to: "rule 1: GET /a?", number: $0) }
        let first = try #require(
            numbers.first { chance.happens(0.001, to: "rule 2: GET /a?", number: $0) }
        )
        let expected = numbers.map { number -> TransportFault? in
            if number <= 2 { return nil }
            if starts[max(0, number - 3)..<number].contains(true) { return .loseBeforeRequest }
            return number >= first ? .loseBeforeResponse : nil
        }
        let found = numbers.map { _ in plan.next(request).fault }
        #expect(found == expected)
    }

    /// What each of 200 requests for 20 paths met with, sent by several tasks at once.
    private func faults(
        seed: UInt64,
        tasks: Int,
        host: String = "nest.invalid"
    ) async throws -> [String: [TransportFault]] {
        let faulty = FaultyTransport(wrapping: stub, seed: seed)
        faulty.add(.tooManyRequests(), probability: 0.05, lasting: 3)
        faulty.add(.cut(afterBodyBytes: 3), probability: 0.1)
        faulty.add(.refuseConnection, probability: 0.1)
        let url = try #require(URL(string: "http://\(host)"))
        let endpoint = Endpoint(baseURL: url, transport: faulty, retryingCount: 0)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for address in stride(from: task, to: 20, by: tasks) {
                        for _ in 0..<10 {
                            _ = await endpoint.outcome(of: TextRequest(path: "\(address)"))
                        }
                    }
                }
            }
        }
        return Dictionary(grouping: faulty.injectedFaults) {
            $0.request.replacingOccurrences(of: host, with: "")
        }
        .mapValues { $0.map(\.fault) }
    }

    @Test("repeats the same faults for one seed, whatever the order of tasks and the host")
    func determinism() async throws {
        let alone = try await faults(seed: 7, tasks: 1)
        #expect(try await faults(seed: 7, tasks: 8) == alone)
        #expect(try await faults(seed: 7, tasks: 3, host: "127.0.0.1:81") == alone)
        #expect(try await faults(seed: 8, tasks: 1) != alone)
        let all = alone.values.joined()
        for fault in [
            TransportFault.tooManyRequests(), .cut(afterBodyBytes: 3), .refuseConnection,
        ] {
            #expect((5...80).contains(all.count { $0 == fault }))
        }
    }
}
