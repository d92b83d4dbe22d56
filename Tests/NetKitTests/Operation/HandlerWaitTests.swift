import Foundation
import NetKitSupport
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Handler wait", .timeLimit(.minutes(15)))
struct HandlerWaitTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        let path = "x"
    }

    @Test(
        "survives handlers that retain the last reference to the operation",
        arguments: [false, true]
    )
    func lastReference(inDebug: Bool) async throws {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let transport = ScriptedTransport([
            .started, .head(ResponseHead(status: 200)), .body(Data("ok".utf8)), .finished(nil),
        ])
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        let value = await withCheckedContinuation { continuation in
            let operation = endpoint.execute(Text())
            if inDebug {
                operation.onDebug { _ in _ = operation.history }
                operation.onSuccess { continuation.resume(returning: $0) }
            } else {
                operation.onSuccess { value in
                    _ = operation.history
                    continuation.resume(returning: value)
                }
            }
        }
        #expect(value == "ok")
        // The thread that released the handlers serves the next call as well.
        #expect(try await endpoint.execute(Text()).value == "ok")
    }

    @Test("releases a call without an endpoint at its end, not at its deadline")
    func missingEndpoint() async {
        weak var control: CallControl?
        do {
            // Not by `execute()`, because another test may set a default endpoint.
            let run = OperationRun(Text(), on: nil, settings: CallSettings())
            let operation = RequestExecutionOperation(run).deadline(after: .seconds(86_400))
            control = operation.control
            run.start()
            await #expect(throws: (any Error).self) { try await operation.value }
        }
        await eventually { control == nil }
        #expect(control == nil)
    }

    @Test("keeps weak references valid until the end of the call")
    func weakReference() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let transport = ScriptedTransport([.started])
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        var operation: RequestExecutionOperation<Text>? = endpoint.execute(Text())
        weak let weakly = operation
        let failure = Locked<ErrorResponse<ServerMessage>?>(nil)
        operation?.onFail { error in failure.withLock { $0 = error } }
        await eventually { !transport.sent.isEmpty }
        operation = nil
        try #require(weakly != nil)
        weakly?.cancel()
        await eventually { failure.withLock { $0 } != nil }
        guard case .cancelled = failure.withLock({ $0 }) else {
            Issue.record("not cancelled")
            return
        }
    }
}
