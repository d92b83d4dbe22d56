import Foundation
import Testing

@testable import NetKit

@Suite("Error responses")
struct ErrorResponseTests {
    private enum OwnError: Error { case expired, refused(String) }
    private struct Localized: LocalizedError { let errorDescription: String? = "one\ntwo" }

    private func errors() throws -> [ErrorResponse<String>] {
        let response = try HTTPResponse.sample(
            "SECRET",
            status: 404,
            url: "https://host/p?q=SECRET"
        )
        return [
            .server("SECRET", response),
            .undecodableServerError(response, underlying: OwnError.refused("SECRET")),
            .decoding(response, underlying: OwnError.refused("SECRET")),
            .invalidRequest(InvalidRequest(.missingEndpoint)), .timeout(.idle), .timeout(.total),
            .cancelled, .transport(TransportError(.connectionLost)),
            .interceptor(OwnError.refused("SECRET")),
        ]
    }

    @Test("omits a server's text in an error thrown by user code")
    func nested() throws {
        let inner = ErrorResponse<String>.server("SECRET", try .sample("SECRET", status: 400))
        let error = ErrorResponse<String>.interceptor(inner)
        #expect(error.description == inner.description)
        #expect(!"\(error) \(error.description)".contains("SECRET"))
        #expect(error.message == "SECRET")
    }

    @Test("returns the response and the server's error, if any")
    func accessors() throws {
        for error in try errors() {
            switch error {
            case .server:
                #expect(error.serverError == "SECRET")
                #expect(error.statusCode == 404)
            case .undecodableServerError, .decoding:
                #expect(error.serverError == nil)
                #expect(error.response?.body == Data("SECRET".utf8))
            default:
                #expect(error.response == nil && error.statusCode == nil)
            }
        }
    }

    @Test("prints no secret in descriptions, reflections and dumps")
    func redaction() throws {
        for error in try errors() {
            var dumped = ""
            dump(error, to: &dumped)
            let boxed: any Error = error
            for text in ["\(error)", String(reflecting: error), "\(boxed)", dumped, "\([error])"] {
                #expect(!text.contains("SECRET"))
                #expect(!text.isEmpty && !text.contains("Bearer"))
            }
            if case .server = error { continue }
            #expect(!error.message.contains("SECRET"))
            #expect(!error.message.contains("\n"))
        }
    }

    @Test("describes itself on one line")
    func descriptions() throws {
        let shown = try errors().map(\.description)
        #expect(shown[0] == "GET https://host/p?q: 404 Not Found")
        #expect(
            shown[1]
                == "GET https://host/p?q: 404 Not Found; the body doesn't decode as String: OwnError.refused"
        )
        #expect(
            shown[2]
                == "GET https://host/p?q: the response can't be decoded: OwnError.refused"
        )
        #expect(shown[6] == "the call was canceled")
        #expect(shown[7] == "connection lost")
        #expect(shown[8] == "an interceptor, a refresh or a body threw OwnError.refused")
    }

    @Test(
        "has a message of one short line, never the body",
        arguments: [
            (
                "<html><title>Oops</title>SECRET</html>", "text/html", "Oops",
                "HTTP 503 Service Unavailable: Oops"
            ),
            (
                "<html>SECRET</html>", "text/html", "HTTP 503 Service Unavailable",
                "HTTP 503 Service Unavailable"
            ),
            (
                "upstream is down\nSECRET", "text/plain", nil,
                "HTTP 503 Service Unavailable: upstream is down"
            ),
            (
                #"{"error":"down","token":"SECRET"}"#, "application/json", nil,
                "HTTP 503 Service Unavailable: down"
            ),
            (#"{"code":"SECRET"}"#, "application/json", nil, "HTTP 503 Service Unavailable"),
            (
                #"{"error":{"reason":"down"}}"#, "application/json", nil,
                "HTTP 503 Service Unavailable: down"
            ),
            (
                "<title>503 - Service Unavailable</title>", "text/html", nil,
                "HTTP 503 Service Unavailable"
            ),
            ("Error 503", "text/plain", nil, "HTTP 503 Service Unavailable"),
            ("SECRET", "application/json", nil, "HTTP 503 Service Unavailable"),
            ("SECRET", "application/octet-stream", nil, "HTTP 503 Service Unavailable"),
        ] as [(String, String, String?, String)]
    )
    func bodies(body: String, type: String, ofText: String?, undecodable: String) throws {
        let response = try HTTPResponse.sample(body, status: 503, type: type)
        if let ofText {
            #expect(ErrorResponse<String>.server(body, response).message == ofText)
        }
        let error = ErrorResponse<String>
            .undecodableServerError(
                response,
                underlying: OwnError.expired
            )
        #expect(error.message == undecodable)
        #expect(error.localizedDescription == undecodable)
        #expect(!error.description.contains("down"))
    }

    @Test("limits its message to 200 characters")
    func bounded() throws {
        let long = String(repeating: "very ", count: 1000) + "long"
        let response = try HTTPResponse.sample(long, status: 503, type: "text/plain")
        let errors: [ErrorResponse<String>] = [
            .server(long, response),
            .undecodableServerError(response, underlying: OwnError.expired),
        ]
        for error in errors {
            #expect(error.message.count == 200 && error.message.hasSuffix("…"))
        }
        #expect(errors[0].serverError == long)
    }

    @Test("has the words of a problem that has neither a detail nor a title")
    func problems() throws {
        let bodies = [
            #"{"message":"no"}"#: "no", #"{"detail":"d","message":"no"}"#: "d",
            #"{"detail":"","title":" ","message":"no"}"#: "no",
            #"{"detail":"","title":"t","message":"no"}"#: "t",
        ]
        for (body, message) in bodies {
            let response = try HTTPResponse.sample(body, status: 404)
            let problem = try ProblemDetails.decode(from: response, using: JSONDecoder())
            let error = ErrorResponse<ProblemDetails>.server(problem, response)
            #expect(error.message.hasSuffix(message))
        }
        let empty = try HTTPResponse.sample("{}", status: 404)
        let problem = try ProblemDetails.decode(from: empty, using: JSONDecoder())
        #expect(ErrorResponse.server(problem, empty).message == "HTTP 404 Not Found")
    }

    @Test("uses its message as the localized description")
    func messages() throws {
        let response = try HTTPResponse.sample("nope", status: 404)
        let server = ErrorResponse<String>.server("nope", response)
        #expect(server.message == "nope")
        #expect(server.localizedDescription == "nope")
        #expect(ErrorResponse<String>.server("", response).message == "HTTP 404 Not Found")
        #expect(ErrorResponse<String?>.server(nil, response).message == "Empty response")
        #expect(
            ErrorResponse<String>.undecodableServerError(response, underlying: OwnError.expired)
                .message
                == "HTTP 404 Not Found"
        )
        #expect(
            ErrorResponse<String>.interceptor(OwnError.expired).message
                == "an interceptor, a refresh or a body threw OwnError.expired"
        )
        #expect(
            ErrorResponse<String>.interceptor(SampleFailure()).message
                == "an interceptor, a refresh or a body threw SampleFailure"
        )
        #expect(
            ErrorResponse<String>.interceptor(URLError(.badURL)).message
                == "an interceptor, a refresh or a body threw bad URL (URLError -1000)"
        )
        #expect(ErrorResponse<String>.interceptor(Localized()).message == "one two")
        #expect(
            ErrorResponse<String>.interceptor(CocoaError(.fileNoSuchFile)).message
                == "an interceptor, a refresh or a body threw CocoaError 4"
        )
    }

    @Test("knows a cancellation and a timeout, also as an interceptor's error")
    func kinds() throws {
        let cancelled: ErrorResponse<String> = .cancelled
        for error in [cancelled, .interceptor(cancelled)] {
            #expect(error.isCancellation && !error.isTimeout)
        }
        for phase in [TimeoutPhase.idle, .total] {
            let timeout = ErrorResponse<String>.timeout(phase)
            for error in [timeout, .interceptor(timeout)] {
                #expect(error.isTimeout && !error.isCancellation)
            }
        }
        let all = try errors()
        #expect(all.filter { $0.isCancellation }.count == 1)
        #expect(all.filter { $0.isTimeout }.count == 2)
    }
}
