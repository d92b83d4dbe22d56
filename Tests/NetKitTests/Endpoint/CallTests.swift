import Foundation
import NetKitSupport
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Call engine", .timeLimit(.minutes(15)))
struct CallTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        let path = "x"
        var method: HTTPMethod = .get
        var body: RequestBody?
    }

    private func endpoint(_ transport: ScriptedTransport, retries: Int = 0) throws -> Endpoint {
        let url = try #require(URL(string: "http://a.test"))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: retries)
        endpoint.retryPolicy.backoff = .none
        return endpoint
    }

    private func failure(
        of operation: RequestExecutionOperation<Text>
    ) async
        -> ErrorResponse<ServerMessage>?
    {
        do {
            _ = try await operation.value
            return nil
        } catch {
            return error
        }
    }

    @Test("accepts a response before the send has returned")
    func synchronousAnswer() async throws {
        let endpoint = try endpoint(ScriptedTransport(.response(200, "hello")))
        let response = try await endpoint.response(for: Text())
        #expect(response.value == "hello")
        #expect(response.attempts == 1)
        #expect(response.http.statusCode == 200)
        #expect(response.duration > .zero)
    }

    @Test("fails without a head as a malformed response")
    func noHead() async throws {
        let endpoint = try endpoint(ScriptedTransport([.started, .finished(nil)]))
        let error = await failure(of: endpoint.execute(Text()))
        guard case .transport(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .malformedResponse)
    }

    @Test("retries a repeatable request, and counts the attempts")
    func retries() async throws {
        let transport = ScriptedTransport(
            .failure(.connectionLost),
            .response(503),
            .response(200, "third")
        )
        let response = try await endpoint(transport, retries: 2).response(for: Text())
        #expect(response.value == "third")
        #expect(response.attempts == 3)
        #expect(transport.sent.count == 3)
    }

    @Test("sends a POST once without consent, and with one key per attempt with consent")
    func consent() async throws {
        let post = Text(method: .post, body: .string("b"))
        let once = ScriptedTransport(.failure(.connectionLost))
        _ = await failure(of: try endpoint(once, retries: 3).execute(post))
        #expect(once.sent.count == 1)
        #expect(once.sent.first?.headers[.idempotencyKey] == nil)

        let twice = ScriptedTransport(.failure(.connectionLost), .response(200, "done"))
        let operation = post.execute(on: try endpoint(twice), retrying: 1)
        #expect(try await operation.value == "done")
        let keys = twice.sent.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 2)
        #expect(keys.first != .some(nil))
        #expect(Set(keys).count == 1)
    }

    @Test("fails with the last failure when retries are exhausted")
    func exhausted() async throws {
        let transport = ScriptedTransport(.response(503, "busy"))
        let error = await failure(of: try endpoint(transport, retries: 2).execute(Text()))
        #expect(error?.statusCode == 503)
        #expect(transport.sent.count == 3)
    }

    @Test("doesn't retry after a cancel, and cancels the exchange")
    func cancelled() async throws {
        let transport = ScriptedTransport([.started])
        let operation = try endpoint(transport, retries: 5).execute(Text())
        await eventually { !transport.sent.isEmpty }
        operation.cancel()
        operation.cancel()
        guard case .cancelled = await failure(of: operation) else {
            Issue.record("not cancelled")
            return
        }
        // The attempt may still be about to learn of its exchange, which it cancels then.
        await eventually { transport.cancelled > 0 }
        #expect(transport.sent.count == 1)
        #expect(transport.cancelled == 1)
    }

    @Test("can be cancelled at the start, and sends nothing in a task that is cancelled already")
    func cancelledEarly() async throws {
        let transport = ScriptedTransport(.response(200))
        let endpoint = try endpoint(transport)
        let silent = try self.endpoint(ScriptedTransport([.started]))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure(of: silent.execute(Text()).onStart { $0.cancel() })
        }
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("not cancelled")
            return
        }
        let direct = Task { () -> ErrorResponse<ServerMessage>? in
            while !Task.isCancelled { await Task.yield() }
            do throws(ErrorResponse<ServerMessage>) {
                _ = try await endpoint.value(for: Text())
                return nil
            } catch {
                return error
            }
        }
        direct.cancel()
        guard case .cancelled = await direct.value else {
            Issue.record("not cancelled")
            return
        }
        #expect(transport.sent.isEmpty)
    }

    @Test("ends a retry delay at a cancel or the deadline")
    func stoppedWhileWaiting() async throws {
        let transport = ScriptedTransport(.response(503))
        let endpoint = try endpoint(transport, retries: 3)
        endpoint.retryPolicy.backoff = .constant(.seconds(3_600))
        let cancelled = endpoint.execute(Text())
        await eventually { !cancelled.history.isEmpty }
        cancelled.cancel()
        guard case .cancelled = await failure(of: cancelled) else {
            Issue.record("not cancelled")
            return
        }
        #expect(cancelled.history.map(\.next) == [.stop(.callEnded)])
        let late = endpoint.execute(Text())
        // Its first attempt is over: what is left is the wait for the next.
        await eventually { !late.history.isEmpty }
        late.deadline(after: .milliseconds(20))
        // The last real failure, and not that there was no time for another attempt.
        let last = await failure(of: late)
        #expect(last?.statusCode == 503)
        #expect(late.history.map(\.next) == [.stop(.callEnded)])
        #expect(transport.sent.count == 2)
    }

    @Test("reports whether the idle or the total timeout expired")
    func timeouts() async throws {
        let silent = try endpoint(ScriptedTransport([.started]))
        let idle = silent.execute(Text()).timeout(after: .milliseconds(20))
        guard case .timeout(.idle) = await failure(of: idle) else {
            Issue.record("no idle timeout")
            return
        }
        let queued = try endpoint(ScriptedTransport([]))
        queued.timeouts = Timeouts(idle: .milliseconds(1), total: .milliseconds(60))
        // Not started: only the total time runs while a request waits for a connection.
        guard case .timeout(.total) = await failure(of: queued.execute(Text())) else {
            Issue.record("no total timeout")
            return
        }
    }

    @Test("follows redirects allowed by the policy within one attempt")
    func redirects() async throws {
        let transport = ScriptedTransport(
            .response(302, headers: [.location: "/y"]),
            .response(200, "there")
        )
        let response = try await endpoint(transport).response(for: Text())
        #expect(response.value == "there")
        #expect(response.attempts == 1)
        #expect(response.http.url.path == "/y")
        #expect(response.http.request.url?.path == "/y")
        let circle = try endpoint(ScriptedTransport(.response(302, headers: [.location: "/x"])))
        guard case .transport(let error) = await failure(of: circle.execute(Text())) else {
            Issue.record("followed for ever")
            return
        }
        #expect(error.kind == .tooManyRedirects)
    }

    @Test("neither retries nor loses an undecodable response")
    func undecodable() async throws {
        struct Number: Request {
            typealias ResponseObjectType = Int
            let path = "x"
        }
        let transport = ScriptedTransport(.response(200, "no number"))
        let endpoint = try endpoint(transport, retries: 3)
        do {
            _ = try await endpoint.value(for: Number())
            Issue.record("decoded")
        } catch {
            guard case .decoding(let response, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(response.body == Data("no number".utf8))
        }
        #expect(transport.sent.count == 1)
    }

    @Test("rejects an invalid request before sending, and calls debug handlers")
    func refused() async throws {
        let transport = ScriptedTransport(.response(200))
        let endpoint = try endpoint(transport)
        let infos = Locked<[DebugInfo]>([])
        let operation = endpoint.execute(Text(method: .get, body: .string("b")))
            .onDebug { info in infos.withLock { $0.append(info) } }
        let error = await failure(of: operation)
        guard case .invalidRequest(let invalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.reason == .invalidMethod("GET with a body"))
        #expect(transport.sent.isEmpty)
        await withCheckedContinuation { done in _ = operation.onFail { _ in done.resume() } }
        #expect(infos.withLock { $0.count } == 1)
        #expect(infos.withLock { $0.first?.request } == nil)
    }

    private struct Holding: Interceptor {
        let object: Released

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            try await next(request)
        }
    }

    @Test("lets what it no longer has use it")
    func released() throws {
        let endpoint = try endpoint(ScriptedTransport([.started]))
        let count = Locked(0)
        let object: @Sendable () -> Released = {
            Released { [weak endpoint] in
                guard let endpoint else { return }
                endpoint.headers["X-Released"] = "1"
                endpoint.observation.unregister(endpoint.observation.registerExchanges { _ in })
                count.withLock { $0 += 1 }
            }
        }
        endpoint.interceptors = [Holding(object: object())]
        endpoint.interceptors = []
        #expect(count.withLock { $0 } == 1)
        let token = { [object = object()] in
            endpoint.observation.registerExchanges { _ in withExtendedLifetime(object) {} }
        }()
        endpoint.observation.unregister(token)
        #expect(count.withLock { $0 } == 2)
    }

    enum HandlerKind: CaseIterable, Sendable { case first, progress, last }

    @Test(
        "lets an operation be used by what its handlers held, as that is released",
        .timeLimit(.minutes(15)),
        arguments: HandlerKind.allCases
    )
    func releasedByOperation(kind: HandlerKind) async throws {
        let endpoint = try endpoint(ScriptedTransport(.failure(.connectionLost)))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let operation = endpoint.execute(Text())
        do {
            let owner = Released { [weak operation] in
                operation?.onFail { _ in release.finish() }
            }
            switch kind {
            case .first: operation.onStart { withExtendedLifetime(owner) {} }
            case .progress: operation.onProgress { _ in withExtendedLifetime(owner) {} }
            case .last: operation.onSuccess { _ in withExtendedLifetime(owner) {} }
            }
            operation.onFail { _ in }
        }
        for await _ in released {}
        withExtendedLifetime(operation) {}
    }

    @Test(
        "lets a batch be used by what its handlers held, as that is released",
        .timeLimit(.minutes(15)),
        arguments: HandlerKind.allCases,
        [0, 1]
    )
    func releasedByBatch(kind: HandlerKind, count: Int) async throws {
        let endpoint = try endpoint(ScriptedTransport(.response(200, "hello")))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let batch = endpoint.execute(Array(repeating: Text(), count: count))
        do {
            let owner = Released { [weak batch] in
                batch?.cancel()
                batch?.onCompletion { _ in release.finish() }
            }
            switch kind {
            case .first: batch.onEach { _, _ in withExtendedLifetime(owner) {} }
            case .progress: batch.onProgress { _, _, _ in withExtendedLifetime(owner) {} }
            case .last: batch.onCompletion { _ in withExtendedLifetime(owner) {} }
            }
        }
        for await _ in released {}
        #expect(await batch.results.count == count)
    }

    private func decoder(holding object: Released) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { _ in
            withExtendedLifetime(object) { Date() }
        }
        return decoder
    }

    @Test(
        "lets a call be used by what its decoder held, as that is replaced",
        .timeLimit(.minutes(15))
    )
    func releasedDecoder() async throws {
        let operation = try endpoint(ScriptedTransport([.started])).execute(Text())
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        Task {
            operation.decode(
                with: decoder(
                    holding: Released { [weak operation] in
                        operation?.cancel()
                        release.finish()
                    }
                )
            )
            operation.decode(with: JSONDecoder())
        }
        for await _ in released {}
        #expect(operation.control.stopped == .cancelled)
    }

    private struct Shared: Request {
        typealias ResponseObjectType = String
        let path = "x"
        let isCoalesced = true
    }

    @Test("starts no shared transfer for a call that was stopped before")
    func stoppedBeforeSharing() async throws {
        let endpoint = try endpoint(ScriptedTransport([.started]))
        let request = EncodedRequest(url: endpoint.baseURL, method: .get)
        let control = CallControl(clock: .shared)
        let key = try #require(
            Coalescer.Key(Shared(), request, .standard, control, on: endpoint, endpoint.settings)
        )
        control.stop(.cancelled)
        let (isStarted, isReleased) = (Locked(false), Locked(false))
        let released: @Sendable () -> Released = { Released { isReleased.withLock { $0 = true } } }
        _ = await endpoint.coalescer
            .run(key, request, control: control, reporter: nil) { [object = released()] _ in
                isStarted.withLock { $0 = true }
                return withExtendedLifetime(object) { AttemptResult(request, failure: .cancelled) }
            }
        // A transfer that hasn't started yet would hold what it sends.
        #expect(!isStarted.withLock { $0 } && isReleased.withLock { $0 })
    }

    @Test("ends with the work that it is a part of, even if that was stopped before it")
    func stoppedWork() async throws {
        let unsent = ScriptedTransport(.response(200, "hello"))
        let idle = try endpoint(unsent)
        let refusal = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await idle.stoppable { work in
                // As when all requests are cancelled just before this one is registered.
                work.stop(.cancelled)
                return try await idle.response(for: Text(), of: work).value
            }
        }
        #expect(refusal?.isCancellation == true)
        #expect(unsent.sent.isEmpty)

        let unanswered = ScriptedTransport([.started])
        let endpoint = try endpoint(unanswered)
        let work = Locked<CallControl?>(nil)
        let task = Task {
            try await endpoint.stoppable { control in
                work.withLock { $0 = control }
                return try await endpoint.response(for: Text(), of: control).value
            }
        }
        await eventually { !unanswered.sent.isEmpty }
        work.withLock { $0 }?.stop(.cancelled)
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await task.value
        }
        #expect(error?.isCancellation == true)
        await eventually { unanswered.cancelled > 0 }
        #expect(unanswered.cancelled == 1)
        #expect(endpoint.callsUnderWay == 0)
    }

    @Test("leaves nothing in the endpoint")
    func leavesNothing() async throws {
        let transport = ScriptedTransport([.started])
        let endpoint = try endpoint(transport)
        endpoint.maximumConcurrentRequestsPerHost = 20
        let operations = (0..<20).map { _ in endpoint.execute(Text()) }
        await eventually { transport.sent.count == 20 }
        endpoint.cancelAllRequests()
        for operation in operations {
            guard case .cancelled = await failure(of: operation) else {
                Issue.record("not cancelled")
                return
            }
        }
        #expect(endpoint.callsUnderWay == 0)
    }
}
