import Foundation
import NetKitTesting
import Testing

// A branch of a call has no name for users.
@testable import NetKit
@testable import NetKitSupport

@Suite("Reports of stopped calls", .timeLimit(.minutes(15)))
struct StoppedReportScenarios {
    private static let scopes: [InterceptorScope] = [.call, .attempt, .exchange]

    @Test(
        "have the attempt and the exchange that were under way, in every scope",
        arguments: scopes,
        [false, true]
    )
    func stopped(scope: InterceptorScope, isDeadline: Bool) async throws {
        let server = try MockServer()
        server.route(nil, "/text") { _ in .fault(.stall) }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.interceptors = [ClosureInterceptor(scope: scope) { try await $1($0) }]
        let events = Locked<[String]>([])
        endpoint.observation.registerEvents { event in
            switch event.kind {
            case .attemptFinished: events.withLock { $0.append("attempt") }
            case .finished: events.withLock { $0.append("finished") }
            default: break
            }
        }
        let failures = Locked<[String?]>([])
        endpoint.observation.registerExchanges { exchange in
            failures.withLock { $0.append(exchange.failure) }
        }
        for count in 1...10 {
            let operation = TextRequest(path: "text", method: .get).execute(on: endpoint)
                .onFail { _ in }
            try await server.waitForRequests(count)
            if isDeadline {
                operation.deadline(after: .zero)
            } else {
                operation.cancel()
            }
            _ = await operation.failure
            await eventually { failures.withLock { $0.count } == count }
        }
        await eventually { events.withLock { $0.count } == 20 }
        #expect(
            events.withLock { $0 }
                == Array(repeating: ["attempt", "finished"], count: 10).flatMap { $0 }
        )
        let words = isDeadline ? "total timeout" : "canceled"
        #expect(
            failures.withLock { $0.filter { $0?.contains(words) == true }.count } == 10,
            "\(failures.withLock { $0 })"
        )
    }

    @Test("have the history of what was under way, in every scope", arguments: scopes)
    func history(scope: InterceptorScope) async throws {
        /// Notes its attempt long after the stop.
        struct Slow: Layer {
            let begin: AsyncStream<Void>.Continuation

            func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
                begin.yield()
                await Wait().run(call.control)
                for _ in 0..<1_000 { await Task.yield() }
                let trace = AttemptTrace(
                    number: 1,
                    outcome: .failure("canceled"),
                    duration: .zero,
                    next: .stop(.callEnded),
                    unrecoveredResponse: nil
                )
                var result = AttemptResult(request, failure: .cancelled)
                let history = call.control.note(trace)
                result.change { $0.history = history }
                return result
            }
        }
        let closure = ClosureInterceptor(scope: scope) { try await $1($0) }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let slow = Slow(begin: begin)
        let layer = try #require(InterceptorsLayer(scope, of: [closure], home: nil, next: slow))
        let request = EncodedRequest(
            url: try #require(URL(string: "https://a.test/text")),
            method: .get
        )
        let plan = CallPlan(
            TextRequest(path: "text", method: .get),
            to: .memory,
            interceptors: [],
            cachePolicy: .standard,
            onTransfer: nil,
            onAttempt: nil
        )
        let control = CallControl(clock: .shared)
        let call = CallContext(control: control, reporter: nil, plan: plan)
        async let sent = layer.send(request, in: call)
        for await _ in begun { break }
        control.stop(.cancelled)
        #expect(await sent.history.map(\.number) == [1])
    }

    @Test("number two attempts that an interceptor makes at once")
    func atOnce() async throws {
        let stub = StubTransport()
        stub.on(.get, "/text") { _ in .text("fine") }
        let url = try #require(URL(string: "https://a.test"))
        let endpoint = Endpoint(baseURL: url, transport: stub, retryingCount: 0)
        endpoint.interceptors = [
            ClosureInterceptor(scope: .call) { request, next in
                async let other = next(request)
                let response = try await next(request)
                _ = try await other
                return response
            }
        ]
        let numbers = Locked<[Int]>([])
        endpoint.observation.registerEvents { event in
            if case .attemptStarted(let number) = event.kind {
                numbers.withLock { $0.append(number) }
            }
        }
        let response = try await endpoint.response(for: TextRequest(path: "text", method: .get))
        #expect(response.attempts == 2)
        #expect(Set(response.history.map(\.number)) == [1, 2])
        await eventually { numbers.withLock { $0.count } == 2 }
        #expect(Set(numbers.withLock { $0 }) == [1, 2])
    }

    @Test("name the call's deadline, although its task is canceled, too")
    func deadlineOfBranch() async {
        /// Cancels a task in place of the steps around it, as a stop may.
        final class Canceling: Stoppable {
            let task = Locked<Task<Void, Never>?>(nil)
            func stop(_ reason: StopReason) { task.withLock { $0 }?.cancel() }
        }
        let control = CallControl(clock: .shared)
        let (canceling, reason) = (Canceling(), Locked<StopReason?>(nil))
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await control.branch { branch in
                begin.yield()
                await Wait().run(branch)
                reason.withLock { $0 = branch.stopped }
            }
        }
        canceling.task.withLock { $0 = task }
        for await _ in begun { break }
        control.enter(canceling)
        control.stop(.totalDeadline(.seconds(1)))
        await task.value
        #expect(reason.withLock { $0 } == .totalDeadline(.seconds(1)))
    }
}
