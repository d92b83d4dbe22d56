import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitTesting
import Testing

/// Writes down what a transport tells, and finds out whether it told it on two threads at a time.
final class Recorder: TransportReceiver {
    private struct State {
        var events: [TransportEvent] = []
        var isBusy = false
        var overlaps = 0
    }

    private let state = NIOLockedValueBox(State())
    private let onEvent: @Sendable (TransportEvent) -> Void

    init(onEvent: @escaping @Sendable (TransportEvent) -> Void = { _ in }) {
        self.onEvent = onEvent
    }

    func receive(_ event: TransportEvent) {
        state.withLockedValue { state in
            if state.isBusy { state.overlaps += 1 }
            state.isBusy = true
        }
        onEvent(event)
        state.withLockedValue { state in
            state.isBusy = false
            state.events.append(event)
        }
    }

    var overlaps: Int { state.withLockedValue { $0.overlaps } }

    /// What happened, each as a letter: started, sent, head, body, finished; runs of one count once.
    var order: String {
        let letters = state.withLockedValue { $0.events }
            .map { event in
                switch event {
                case .started: "s"
                case .sent: "t"
                case .head: "h"
                case .body: "b"
                case .finished: "f"
                }
            }
        return letters.reduce(into: "") { order, letter in
            if !order.hasSuffix(letter) || letter == "f" { order += letter }
        }
    }

    var head: ResponseHead? {
        for case .head(let head) in state.withLockedValue({ $0.events }) { return head }
        return nil
    }

    var body: Data {
        state.withLockedValue { state in
            state.events.reduce(into: Data()) { if case .body(let data) = $1 { $0 += data } }
        }
    }

    /// The sizes of the parts that a response's body came in.
    var bodyParts: [Int] {
        state.withLockedValue { state in
            state.events.compactMap { if case .body(let data) = $0 { data.count } else { nil } }
        }
    }

    /// How many bytes of a request's body were handed over.
    var sent: [Int64] {
        state.withLockedValue { state in
            state.events.compactMap { if case .sent(let count) = $0 { count } else { nil } }
        }
    }

    /// How many bytes of a response's body have come.
    var received: Int { body.count }

    /// How it ended; nil if it has not.
    var ending: Ending? {
        for case .finished(let failure) in state.withLockedValue({ $0.events }) {
            return switch failure {
            case nil: .whole
            case .cancelled: .cancelled
            case .failed(let error): .failed(error.kind)
            }
        }
        return nil
    }

    /// What it ended with, if it failed.
    var error: TransportError? {
        for case .finished(.failed(let error)) in state.withLockedValue({ $0.events }) {
            return error
        }
        return nil
    }

    /// Waits for the end, and checks what every exchange has to keep to.
    @discardableResult
    func finished() async -> Ending? {
        await eventually { self.ending != nil }
        #expect(overlaps == 0)
        #expect(order.filter { $0 == "f" }.count == 1)
        #expect(order.last == "f")
        return ending
    }
}

/// How an exchange ended.
enum Ending: Hashable, Sendable {
    case whole, cancelled
    case failed(TransportError.Kind)
}
