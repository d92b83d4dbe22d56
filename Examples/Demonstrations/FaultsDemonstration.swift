import Foundation
import NetKit
import NetKitTesting

/// Network failures, injected on purpose.
struct FaultsDemonstration: Demonstration {
    let name = "faults"
    let summary = "inject 429s, lost connections and refused connections"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let stub = StubTransport(basePath: context.endpoint.baseURL.path)
        stub.on(.get, "/status/{code}") { _ in .status(204) }
        let faulty = FaultyTransport(wrapping: stub, seed: 7)
        let endpoint = Endpoint(baseURL: context.endpoint.baseURL, transport: faulty)
        endpoint.retryPolicy.backoff = .none

        context.asked("faulty.script(.tooManyRequests(retryAfter: .zero), .loseBeforeResponse)")
        faulty.script(.tooManyRequests(retryAfter: .zero), .loseBeforeResponse)
        endpoint.retryingCount = 2
        let response = try await endpoint.response(for: StatusRequest(code: 204))
        context.cameBack("\(response.http.status) after \(response.attempts) attempts")
        context.cameBack(faulty.injectedFaults.map(\.description).joined(separator: "\n"))
        try context.expect(response.attempts == 3, "the third attempt succeeded")

        context.asked("faulty.add(.refuseConnection, probability: 0.2)    // then 50 requests")
        faulty.add(.refuseConnection, probability: 0.2)
        endpoint.retryingCount = 0
        var failed = 0
        for code in 200..<250
        where (try? await endpoint.value(for: StatusRequest(code: code))) == nil {
            failed += 1
        }
        context.cameBack("\(failed) of 50 failed")
        try context.expect(
            failed == faulty.injectedFaults.count - 2 && failed > 0,
            "the transport lists the injected faults"
        )
    }
}
