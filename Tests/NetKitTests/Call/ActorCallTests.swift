import Dispatch
import Foundation
import Testing

@testable import NetKit

@Suite("Calls of an actor", .timeLimit(.minutes(15)))
struct ActorCallTests {
    /// Runs the jobs of an actor in a queue, which they can tell.
    private final class Queue: SerialExecutor {
        static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "actor")

        init() { queue.setSpecific(key: Self.key, value: true) }

        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Caller {
        private let queue = Queue()

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            queue.asUnownedSerialExecutor()
        }

        func places(on endpoint: Endpoint) async throws -> (caller: Bool, call: Place) {
            let place = try await endpoint.value(for: Get())
            return (Queue.isCurrent, place)
        }
    }

    private struct Place: Decodable, Sendable {
        let isOnActor: Bool

        init(from decoder: any Decoder) throws { isOnActor = Queue.isCurrent }
    }

    private struct Get: Request {
        typealias ResponseObjectType = Place
        var path: String { Queue.isCurrent ? "actor" : "x" }
    }

    @Test("are encoded and decoded elsewhere, and return to it")
    func decoding() async throws {
        let url = try #require(URL(string: "http://a.test"))
        let transport = ScriptedTransport(.response(200, "{}"))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        let (caller, call) = try await Caller().places(on: endpoint)
        #expect(caller)
        #expect(!call.isOnActor)
        #expect(transport.sent.map(\.url.path) == ["/x"])
    }
}
