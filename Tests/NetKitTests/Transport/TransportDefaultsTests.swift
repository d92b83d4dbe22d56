import Testing

@testable import NetKit

@Suite("Transport defaults")
struct TransportDefaultsTests {
    private struct Minimal: Transport {
        final class Exchange: TransportExchange {
            func cancel() {}
        }

        func send(
            _ request: EncodedRequest,
            to receiver: any TransportReceiver
        ) -> any TransportExchange {
            Exchange()
        }
    }

    @Test("support neither backpressure nor live bodies")
    func minimal() {
        #expect(!Minimal().sendsSequences)
        let exchange = Minimal.Exchange()
        #expect(!exchange.pause())
        exchange.resume()
        #expect(!exchange.pause())
    }
}
