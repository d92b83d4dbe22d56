import Foundation
import Testing

@testable import NetKit

@Suite("Bearer token without a call")
struct BearerAuthenticationTests {
    private func request() throws -> EncodedRequest {
        var request = EncodedRequest(url: try #require(URL(string: "https://h/")), method: .get)
        request.headers[.authorization] = "Bearer old"
        return request
    }

    private func recover(
        _ authentication: BearerAuthentication
    ) async throws -> AuthenticationRecovery {
        let request = try request()
        let head = ResponseHead(status: .unauthorized)
        let response = HTTPResponse(to: request, head, body: Data())
        return try await authentication.recover(from: response, to: request)
    }

    @Test("refreshes when the closure needs no endpoint")
    func withoutEndpoint() async throws {
        let authentication = BearerAuthentication(token: "old") { _ in "new" }
        #expect(try await recover(authentication) == .refreshed)
        #expect(authentication.token == "new")
    }

    @Test("fails clearly when the closure needs an endpoint")
    func missingEndpoint() async throws {
        let authentication = BearerAuthentication(token: "old") { _, _ in "new" }
        let error = await #expect(throws: InvalidRequest.self) { try await recover(authentication) }
        #expect(error?.reason == .missingEndpoint)
        #expect(authentication.token == "old")
    }
}
