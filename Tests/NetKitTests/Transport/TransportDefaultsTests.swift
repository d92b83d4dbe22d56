import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    /// A transport over another one, as those of NetKitTesting are.
    private struct Wrapper: WrappingTransport {
        let wrapped: any Transport

        func send(
            _ request: EncodedRequest,
            to receiver: any TransportReceiver
        ) -> any TransportExchange { wrapped.send(request, to: receiver) }
    }

    @Test(
        "admit as many calls to a host as the transport has connections, unless the endpoint says how many",
        arguments: [(nil, 20), (3, 3), (20, 20)] as [(Int?, Int)]
    )
    func calls(asked: Int?, expected: Int) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 20
        let transport = URLSessionTransport(configuration: configuration)
        let own = URLSessionConfiguration.ephemeral
        if let asked { own.httpMaximumConnectionsPerHost = asked }
        let url = try #require(URL(string: "http://127.0.0.1"))
        for transport in [transport, Wrapper(wrapped: Wrapper(wrapped: transport))]
            as [any Transport]
        {
            let endpoint = Endpoint(baseURL: url, transport: transport, sessionConfiguration: own)
            #expect(endpoint.maximumConcurrentRequestsPerHost == expected)
        }
        let silent = Endpoint(baseURL: url, transport: Minimal(), sessionConfiguration: own)
        #expect(silent.maximumConcurrentRequestsPerHost == asked ?? 6)
    }
}
