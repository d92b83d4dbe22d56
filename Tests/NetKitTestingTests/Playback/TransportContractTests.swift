import Foundation
import NetKit
import NetKitHAR
import NetKitSupport
import NetKitTesting
import Testing

/// What a transport told, and whether it kept to the order.
private final class Witness: TransportReceiver {
    private struct State {
        var events: [String] = []
        var mistakes: [String] = []
        var isBeingTold = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func receive(_ event: TransportEvent) {
        let isAlone = state.withLock { state in
            defer { state.isBeingTold = true }
            return !state.isBeingTold
        }
        let (name, allowed): (String, Set<String>) =
            switch event {
            case .started: ("started", [""])
            case .sent: ("sent", ["started", "sent"])
            case .head: ("head", ["started", "sent"])
            case .body: ("body", ["head", "body"])
            case .finished(let failure):
                (
                    failure.map { if case .cancelled = $0 { "cancelled" } else { "failed" } }
                        ?? "whole",
                    failure == nil ? ["head", "body"] : ["", "started", "sent", "head", "body"]
                )
            }
        let waiter = state.withLock { state in
            if !isAlone { state.mistakes.append("\(name) on two threads") }
            let last = state.events.last ?? ""
            if !allowed.contains(last) { state.mistakes.append("\(name) after \(last)") }
            state.events.append(name)
            state.isBeingTold = false
            guard case .finished = event else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// What was told and what was wrong with it, once the exchange is over.
    func result() async -> (last: String?, mistakes: [String]) {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let isOver = ["whole", "cancelled", "failed"].contains(state.events.last)
                if !isOver { state.waiter = continuation }
                return isOver
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { ($0.events.last, $0.mistakes) }
    }
}

@Suite("Test transports", .timeLimit(.minutes(15)))
struct TransportContractTests {
    private static let stub = {
        let stub = StubTransport()
        stub.keepsBodies = false
        stub.on(nil, "/*") { _ in
            .data(Data(count: 300)).dripping(bytes: 60, every: .microseconds(300))
        }
        return stub
    }()

    private static func transports() throws -> [any Transport] {
        let drip = FaultyTransport(wrapping: stub)
        drip.add(.drip(bytes: 20, every: .microseconds(100)), probability: 1)
        let cut = FaultyTransport(wrapping: stub)
        cut.add(.cut(afterBodyBytes: 150), probability: 0.5)
        cut.add(.loseBeforeResponse, probability: 0.5)
        cut.add(.refuseConnection, probability: 1)
        return [
            stub, drip, cut, RecordingTransport(wrapping: drip, to: HARRecorder()),
            ReplayTransport(HAR(), mode: .recordMissing(drip)), ReplayTransport(HAR()),
        ]
    }

    @Test("reports events one at a time and ends once, even when cancelled", arguments: 0..<6)
    func order(index: Int) async throws {
        let transport = try Self.transports()[index]
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let body = BodySource(Data(count: 200_000))
        let request = EncodedRequest(url: url, method: .post, body: body)
        let endings = await withTaskGroup(of: (String?, [String]).self) { group in
            for number in 0..<60 {
                group.addTask {
                    let witness = Witness()
                    let exchange = transport.send(request, to: witness)
                    if number % 4 != 0 {
                        if number % 4 != 1 {
                            try? await Task.sleep(for: .microseconds(number * 100))
                        }
                        exchange.cancel()
                        exchange.cancel()
                    }
                    let result = await witness.result()
                    exchange.cancel()
                    return result
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(endings.count == 60)
        #expect(endings.flatMap(\.1) == [])
        #expect(endings.contains { $0.0 == "cancelled" })
        #expect(endings.contains { $0.0 != "cancelled" })
    }
}
