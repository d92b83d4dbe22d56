import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Debug information of calls", .timeLimit(.minutes(15)))
struct DebugScenarios {
    private struct Save: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = APIError
        var path = "items"
        let method = HTTPMethod.put
        let body: RequestBody? = .params(["id": 1, "password": "SECRET"])
        var headers: HTTPHeaders = [:]
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("PUT", "/items") { _ in .json(text: #"{"id":1}"#) }
        server.route("PUT", "/none") { _ in .json(text: #"{"message":"gone"}"#, status: 404) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private func infos(of request: Save) async -> [DebugInfo] {
        let infos = Locked<[DebugInfo]>([])
        let operation = request.execute(on: endpoint)
            .onDebug { info in
                infos.withLock { $0.append(info) }
            }
        await operation.delivered()
        return infos.withLock { $0 }
    }

    @Test("has the request, response, time, phases and text of each attempt with a response")
    func attempts() async throws {
        server.enqueue(.json(text: #"{"message":"wait"}"#, status: 503))
        let infos = await infos(of: Save())
        #expect(infos.map { $0.urlResponse?.statusCode } == [503, 200])
        #expect(infos.map(\.stringResponse) == [#"{"message":"wait"}"#, #"{"id":1}"#])
        #expect((infos.last?.jsonResponse as? [String: Int]) == ["id": 1])
        #expect(infos.map { $0.errorResponse is ErrorResponse<APIError> } == [true, false])
        for info in infos {
            #expect(info.request?.httpMethod == "PUT")
            #expect(info.request?.url == server.url("/items"))
            #expect(info.request?.httpBody == Data(#"{"id":1,"password":"SECRET"}"#.utf8))
            #expect(info.requestDuration > 0)
            let phases = try #require(info.phases)
            let head = try #require(phases.headDuration)
            let body = try #require(phases.bodyDuration)
            #expect(head > .zero)
            #expect((phases.queueDuration + head + body) / .seconds(1) <= info.requestDuration)
            #expect(info.cURL?.contains("--data-binary '‹redacted: application/json, ") == true)
            #expect(info.transcript?.hasPrefix("PUT \(server.url("/items"))\n") == true)
            #expect(info.transcript?.contains("SECRET") == false)
        }
    }

    @Test("notes missing authentication and interceptors in the curl command")
    func missing() throws {
        endpoint.authentication = BasicAuthentication(username: "u", password: "SECRET")
        let command = try endpoint.cURL(for: Save())
        #expect(
            command.hasPrefix(
                "# without the endpoint's authentication, which NetKit adds when it sends the request\ncurl "
            )
        )
        endpoint.interceptors = [.userAgent("a")]
        #expect(
            try endpoint.cURL(for: Save())
                .hasPrefix(
                    "# without the endpoint's authentication, which NetKit adds when it sends the request\n"
                        + "# without the changes of interceptors, which NetKit applies when it sends the request\ncurl "
                )
        )
        // It says itself who sends it.
        let own = try endpoint.cURL(for: Save(headers: ["Authorization": "own"]))
        #expect(!own.contains("authentication"))
    }

    @Test("has no response for a failed exchange, and no request for an invalid one")
    func failures() async throws {
        endpoint.retryPolicy = .never
        server.enqueue(.fault(.closeBeforeHead))
        let lost = try #require(await infos(of: Save()).first)
        #expect(lost.request != nil)
        #expect(lost.dataResponse == nil)
        #expect(lost.phases?.headDuration == nil)
        #expect(lost.requestDuration > 0)
        #expect(lost.transcript?.contains("connection lost") == true)
        let refused = await infos(of: Save(headers: ["a b": "c"]))
        #expect(refused.count == 1)
        #expect(refused.first?.request == nil)
        #expect(refused.first?.errorResponse is ErrorResponse<APIError>)
        #expect(refused.first?.transcript == nil)
        #expect(refused.first?.cURL == nil)
        #expect(refused.first?.phases == nil)
        let wrong = try #require(await infos(of: Save(path: "none")).first)
        #expect(wrong.errorResponse is ErrorResponse<APIError>)
        #expect(wrong.stringResponse == #"{"message":"gone"}"#)
    }
}
