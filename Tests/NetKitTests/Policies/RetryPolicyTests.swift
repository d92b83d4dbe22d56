import Foundation
import Testing

@testable import NetKit

@Suite("Retry policies")
struct RetryPolicyTests {
    @Test("has one default, shared by every endpoint")
    func standard() throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let transport = ScriptedTransport()
        #expect(Endpoint(baseURL: url).retryPolicy == .standard)
        #expect(Endpoint(baseURL: url, transport: transport).retryPolicy == .standard)
        #expect(RetryPolicy.standard.maximumRetries == 1)
        #expect(RetryPolicy.never.maximumRetries == 0)
    }
}
