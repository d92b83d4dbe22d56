import Foundation
import NetKitSupport
@testable import NetKit

/// Answers each request with the next script, on the caller's thread, before `send` returns.
final class ScriptedTransport: Transport {
    private let scripts: Locked<[[TransportEvent]]>
    private let log = Locked<(sent: [EncodedRequest], cancelled: Int)>((sent: [], cancelled: 0))

    let sendsSequences: Bool

    /// - Parameters:
    ///   - scripts: What comes of the requests, one after the other; the last one repeats. A script without
    ///     `.finished` leaves its request unanswered.
    ///   - sendsSequences: Whether it takes live bodies, which it does not read.
    init(_ scripts: [TransportEvent]..., sendsSequences: Bool = false) {
        self.scripts = Locked(scripts)
        self.sendsSequences = sendsSequences
    }

    var sent: [EncodedRequest] { log.withLock { $0.sent } }
    var cancelled: Int { log.withLock { $0.cancelled } }

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        log.withLock { $0.sent.append(request) }
        let script = scripts.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
        for event in script { receiver.receive(event) }
        return Exchange { self.log.withLock { $0.cancelled += 1 } }
    }

    private final class Exchange: TransportExchange {
        private let onCancel: @Sendable () -> Void

        init(onCancel: @escaping @Sendable () -> Void) {
            self.onCancel = onCancel
        }

        func cancel() { onCancel() }
    }
}

extension [TransportEvent] {
    /// A whole response.
    static func response(
        _ status: HTTPStatus,
        _ body: String = "",
        headers: HTTPHeaders = [:]
    ) -> [TransportEvent] {
        let head = ResponseHead(status: status, headers: headers)
        return [.started, .head(head), .body(Data(body.utf8)), .finished(nil)]
    }

    /// A failure.
    static func failure(_ kind: TransportError.Kind) -> [TransportEvent] {
        [.started, .finished(.failed(TransportError(kind)))]
    }
}

extension CallPlan {
    /// Creates the plan of a call for a body in memory, without interceptors and observers.
    convenience init(inMemory request: some Request) {
        self.init(
            request,
            to: .memory,
            interceptors: [],
            cachePolicy: .standard,
            onTransfer: nil,
            onAttempt: nil
        )
    }
}
