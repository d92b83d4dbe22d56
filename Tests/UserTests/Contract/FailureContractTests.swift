import Foundation
import NetKit
import NetKitCache
import NetKitCookies
import NetKitPaging
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct AuthError: ServerError, Decodable, Equatable {
    let message: String
    let code: Int
}

@Suite("Public interface of responses and errors")
struct FailureContractTests {
    private let response: HTTPResponse

    init() throws {
        let url = try #require(URL(string: "https://api.example.com/p"))
        response = HTTPResponse(
            request: URLRequest(url: url),
            url: url,
            status: 404,
            headers: ["A": "1"],
            body: Data(#"{"message":"gone","code":7}"#.utf8)
        )
    }

    @Test("has the request that was sent")
    func responses() {
        let request: URLRequest = response.request
        let url: URL = response.url
        let status: HTTPStatus = response.status
        let headers: HTTPHeaders = response.headers
        let body: Data = response.body
        let code: Int = response.statusCode
        #expect(request.url == url && status == 404 && code == 404 && headers["a"] == "1")
        #expect(!body.isEmpty)
    }

    @Test("decodes every kind of server error")
    func serverErrors() throws {
        func decode<Failure: ServerError>(_: Failure.Type) throws -> Failure {
            try Failure.decode(from: response, using: JSONDecoder())
        }
        #expect(try decode(AuthError.self) == AuthError(message: "gone", code: 7))
        #expect(try decode(AuthError?.self)?.message == "gone")
        let messages: [String] = [
            try decode(String.self).message, try decode(String?.self).message,
            try decode(ServerMessage.self).message,
        ]
        #expect(messages.allSatisfy { $0.contains("gone") })
        let text = #"{"type":"t","title":"no","status":404,"detail":"gone","instance":"i"}"#
        let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(text.utf8))
        let texts: [String?] = [problem.type, problem.title, problem.detail, problem.instance]
        let (status, message): (Int?, String) = (problem.status, problem.message)
        #expect(texts == ["t", "no", "gone", "i"] && status == 404 && message.contains("gone"))
    }

    @Test("fails with one typed error, equivalent through CallError")
    func failures() {
        func evidence(_ error: ErrorResponse<AuthError>) -> String {
            switch error {
            case .server(let failure, let response): "\(failure.code) \(response.statusCode)"
            case .undecodableServerError(let response, let underlying),
                .decoding(let response, let underlying):
                "\(response.statusCode) \(underlying is CancellationError)"
            case .invalidRequest(let invalid): "\(invalid.reason)"
            case .timeout(let phase): "\(phase)"
            case .cancelled: "cancelled"
            case .transport(let failure): "\(failure.kind)"
            case .interceptor(let underlying): "\(underlying is CancellationError)"
            }
        }
        let lost = TransportError(.connectionLost, underlying: URLError(.networkConnectionLost))
        let errors: [(ErrorResponse<AuthError>, evidence: String, has: String)] = [
            (.server(AuthError(message: "gone", code: 7), response), "7 404", "srv"),
            (.undecodableServerError(response, underlying: CancellationError()), "404 true", "ru"),
            (.decoding(response, underlying: CancellationError()), "404 true", "ru"),
            (.invalidRequest(InvalidRequest(.missingEndpoint)), "missingEndpoint", "u"),
            (.timeout(.idle), "idle", "dt"), (.timeout(.total), "total", "dt"),
            (.cancelled, "cancelled", "c"), (.transport(lost), "connectionLost", "tu"),
            (.interceptor(CancellationError()), "true", "u"),
        ]
        for (error, said, has) in errors {
            let status: Int? = error.statusCode
            let server: AuthError? = error.serverError
            let response: HTTPResponse? = error.response
            let message: String = error.message
            #expect(evidence(error) == said && !message.isEmpty)
            #expect((status != nil) == (response != nil))
            let general: any CallError = error
            let flags: [(Bool, String)] = [
                (server != nil, "s"), (general.response != nil, "r"),
                (server?.message == general.message, "v"), (general.isCancellation, "c"),
                (general.isTimeout, "d"), (general.isTransient, "t"),
                (general.underlyingError != nil, "u"),
            ]
            #expect(flags.filter(\.0).map(\.1).joined() == has, "\(said)")
            let localized: any LocalizedError = general
            #expect(localized.errorDescription == general.message)
        }
    }

    @Test("describes every reason for an invalid request or a transport failure")
    func reasons() {
        let reasons: [InvalidRequest.Reason] = [
            .missingEndpoint, .invalidURL("u"), .invalidMethod("m"), .invalidHeader(name: "h"),
            .missingPathParameter("p"), .unsafePathParameter("p"), .unreadableFile("f"),
            .unencodableBody("a.b"),
        ]
        for reason in reasons {
            let invalid: any Error & Sendable = InvalidRequest(reason)
            #expect((invalid as? InvalidRequest)?.reason == reason)
        }
        let kinds: Set<TransportError.Kind> = [
            .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .secureConnection,
            .malformedResponse, .truncatedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported, .other,
        ]
        #expect(kinds.count == 12)
        for kind in kinds {
            let error = TransportError(kind)
            let (same, underlying): (TransportError.Kind, (any Error)?) = (
                error.kind, error.underlying
            )
            #expect(same == kind && underlying == nil)
        }
        func name(_ phase: TimeoutPhase) -> String {
            switch phase {
            case .idle: "idle"
            case .total: "total"
            }
        }
        #expect(Set([TimeoutPhase.idle, .total]).map(name).sorted() == ["idle", "total"])
    }

    @Test(
        "conforms to CallError for every kind of failure"
    )
    func conformances() {
        func isCallError<Failure: CallError>(_: Failure.Type) -> Bool { true }
        #expect(isCallError(ErrorResponse<AuthError>.self) && isCallError(StreamFailure.self))
        #expect(isCallError(PagingFailure.self) && isCallError(PollingFailure.self))
        #expect(isCallError(DownloadFailure.self) && isCallError(TransportError.self))
        #expect(isCallError(InvalidRequest.self) && isCallError(CircuitOpenError.self))
        #expect(isCallError(DecodingFailure.self) && isCallError(ConversionFailure.self))
        #expect(isCallError(CookieFileError.self) && isCallError(CacheFolderError.self))
    }
}
