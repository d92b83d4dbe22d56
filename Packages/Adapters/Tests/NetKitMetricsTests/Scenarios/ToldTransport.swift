import Foundation
import NetKit
import NetKitTesting

/// A way in which a body fails behind its head.
enum BrokenBody: String, CaseIterable, Sendable {
    case truncatedResponse
    case timeout
    case responseTooLarge

    /// Creates an endpoint whose responses, with the status 200, fail in this way.
    func endpoint(at baseURL: URL) -> Endpoint {
        let (clock, idle) = (ManualClock(), Duration.seconds(10))
        let transport = ToldTransport { receiver in
            receiver.receive(.started)
            receiver.receive(.head(ResponseHead(status: 200)))
            receiver.receive(.body(Data("plain".utf8)))
            if self == .timeout { clock.advance(by: idle) }
            receiver.receive(
                .finished(
                    self == .timeout ? .cancelled : .failed(TransportError(.truncatedResponse))
                )
            )
        }
        let endpoint = Endpoint(baseURL: baseURL, transport: transport, clock: clock)
        endpoint.timeouts.idle = idle
        endpoint.retryPolicy = .never
        if self == .responseTooLarge { endpoint.maximumResponseSize = 4 }
        return endpoint
    }
}

/// A transport whose events a test tells, on a thread of each exchange.
struct ToldTransport: Transport {
    let tell: @Sendable (any TransportReceiver) -> Void

    // It leaves a live body unread.
    var sendsSequences: Bool { true }

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        Thread.detachNewThread { [tell] in tell(receiver) }
        return Exchange()
    }

    /// Can't be canceled: the test tells the end.
    private final class Exchange: TransportExchange {
        func cancel() {}
    }
}
