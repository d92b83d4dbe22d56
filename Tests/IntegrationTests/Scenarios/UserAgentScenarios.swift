import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitHAR

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("User-Agent", .timeLimit(.minutes(15)))
struct UserAgentScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// Values of the endpoint, the request and an interceptor, and what arrives; nil where NetKit's own is expected.
    private static let values:
        [(endpoint: String?, own: String?, added: String?, sent: [String]?)] = [
            (nil, nil, nil, nil), ("App/1", nil, nil, ["App/1"]), (nil, "Own/2", nil, ["Own/2"]),
            ("App/1", "Own/2", nil, ["Own/2"]), (nil, nil, "Added/3", ["Added/3"]),
            ("App/1", nil, "Added/3", ["App/1"]), (nil, "Own/2", "Added/3", ["Own/2"]),
            // An empty value is how to send none, also none of the engine's.
            ("", nil, nil, []), (nil, "", nil, []), ("App/1", "", nil, []),
            ("", "Own/2", nil, ["Own/2"]),
            (nil, nil, "", []), ("", nil, "Added/3", ["Added/3"]),
        ]

    @Test("is NetKit's below every other value, and none if the value is empty", arguments: values)
    func precedence(
        row: (endpoint: String?, own: String?, added: String?, sent: [String]?)
    ) async throws {
        endpoint.headers[.userAgent] = row.endpoint
        if let added = row.added { endpoint.interceptors = [.userAgent(added)] }
        var own = HTTPHeaders()
        own[.userAgent] = row.own
        _ = try await endpoint.value(for: TextRequest(path: "x", method: .get, headers: own))
        let sent = try #require(server.requests.last).headers(named: "User-Agent")
        if let expected = row.sent {
            #expect(sent == expected)
        } else {
            #expect(sent.count == 1 && sent[0].wholeMatch(of: /NetKit\/\d+\.\d+\.\d+/) != nil)
        }
    }

    @Test("stays after a redirect, and no language is sent that nobody asked for")
    func redirect() async throws {
        server.route(nil, "/from") { _ in .redirect(to: "/x") }
        _ = try await endpoint.value(for: TextRequest(path: "from", method: .get))
        let agents = server.requests.map { $0.headers(named: "User-Agent") }
        #expect(agents.count == 2 && agents[0] == agents[1] && agents[0].count == 1)
        #expect(server.requests.allSatisfy { $0.header("Accept-Language") == nil })
        _ = try await endpoint.value(
            for: TextRequest(path: "x", method: .get, headers: [.acceptLanguage: "uk"])
        )
        #expect(server.requests.last?.headers(named: "Accept-Language") == ["uk"])
    }

    @Test("is the same on the wire, in the curl command, in the log and in the HAR file")
    func shown() async throws {
        let (logger, recorder) = (LineLogger(), HARRecorder())
        endpoint.logger = logger
        endpoint.observation.registerExchanges { recorder.record($0) }
        let request = TextRequest(path: "x", method: .get)
        _ = try await endpoint.value(for: request)
        let agent = try #require(server.requests.last?.header("User-Agent"))
        #expect(try endpoint.cURL(for: request).contains("--header 'User-Agent: \(agent)'"))
        let line = try #require(logger.lines.first { $0.contains(" > GET ") })
        #expect(line.contains("User-Agent: \(agent)"))
        let fields = try #require(recorder.har.entries.first).request.headers
        #expect(fields.contains { $0.name == "User-Agent" && $0.value == agent })

        endpoint.headers[.userAgent] = ""
        #expect(try endpoint.cURL(for: request).contains("--header 'User-Agent:'"))
        #expect(
            try endpoint.urlRequest(for: request).value(forHTTPHeaderField: "User-Agent") == nil
        )
    }
}
