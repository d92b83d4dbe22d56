import Foundation
import NetKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Custom transport", .timeLimit(.minutes(15)))
struct TransportScenarios {
    private func endpoint(
        _ answer:
            @escaping @Sendable (EncodedRequest) throws(TransportError) -> ImmediateTransport.Answer
    ) throws -> Endpoint {
        let url = try #require(URL(string: "http://nowhere.invalid/api"))
        let transport = ImmediateTransport(answer: answer)
        return Endpoint(baseURL: url, transport: transport, retryingCount: 0)
    }

    /// Requests are answered without any network.
    @Test("responds without a network", arguments: CallStyle.allCases)
    func answers(style: CallStyle) async throws {
        let endpoint = try endpoint { request throws(TransportError) in
            #expect(request.url.absoluteString == "http://nowhere.invalid/api/login/facebook")
            #expect(request.method == .post)
            #expect(request.headers[.contentType] == "application/json")
            #expect(request.body?.data == Data(#"{"token":"t"}"#.utf8))
            return .init(body: Data(#"{"id":7}"#.utf8))
        }
        let outcome = await style.outcome(of: LoginRequest(token: "t"), on: endpoint)
        #expect(outcome.value == User(id: 7))
    }

    /// Errors are those that a network would have.
    @Test("fails like a network", arguments: CallStyle.allCases)
    func failures(style: CallStyle) async throws {
        let broken = try endpoint { _ throws(TransportError) in throw TransportError(.notConnected)
        }
        let error = await style.outcome(of: TextRequest(path: "x"), on: broken).error
        #expect(error?.kind == .transport(.notConnected))
        let missing = try endpoint { _ throws(TransportError) in
            .init(status: 404, body: Data(#"{"message":"nope"}"#.utf8))
        }
        let refused = await style.outcome(of: LoginRequest(token: "t"), on: missing).error
        #expect(refused?.serverError == APIError(message: "nope"))
    }

    /// Redirects are followed above the transport, whichever it is.
    @Test("receives the request of each redirect")
    func redirects() async throws {
        let endpoint = try endpoint { request throws(TransportError) in
            request.url.path == "/end"
                ? .init(body: Data("end \(request.headers[.authorization] ?? "none")".utf8))
                : .init(status: 302, headers: [.location: "http://elsewhere.invalid/end"])
        }
        endpoint.headers.authToken = .bearer("a")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end none")
    }

    /// Stubs belong to their endpoints and to nothing global.
    @Test("serves only its own endpoint, however many run at once")
    func separation() async throws {
        let endpoints = try (0..<20)
            .map { number in
                try endpoint { _ throws(TransportError) in .init(body: Data("\(number)".utf8)) }
            }
        let mixed = await withTaskGroup(of: Int.self) { group in
            for (number, endpoint) in endpoints.enumerated() {
                for style in CallStyle.allCases {
                    group.addTask {
                        var mixed = 0
                        for _ in 0..<20 {
                            let request = TextRequest(path: "x")
                            let outcome = await style.outcome(of: request, on: endpoint)
                            mixed += outcome.value == "\(number)" ? 0 : 1
                        }
                        return mixed
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(mixed == 0)
    }
}
