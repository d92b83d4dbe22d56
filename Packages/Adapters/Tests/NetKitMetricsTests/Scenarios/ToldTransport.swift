import Foundation
import NetKit

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
