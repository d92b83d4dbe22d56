import NetKit
import NetKitCurl
import NetKitTesting
import NetKitTracing
import Testing

/// Over libcurl, which tells all of them.
@Suite("Attributes of a connection")
struct ConnectionAttributeTests {
    @Test("are those of the exchange that it carried")
    func connection() async throws {
        let setting = try TraceSetting()
        let endpoint = Endpoint(baseURL: setting.server.baseURL, transport: CurlTransport())
        endpoint.traceCalls(with: setting.tracer)
        _ = try await endpoint.value(for: DefaultRequest<String, ServerMessage>(path: "text"))
        let names = ["network.protocol.version", "network.peer.address", "network.peer.port"]
        let values = setting.spans.map { span in names.map { span.attributes[$0] } }
        #expect(values == [[nil, nil, nil], ["1.1", "127.0.0.1", "\(setting.server.port)"]])
    }
}
