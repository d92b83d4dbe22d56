import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitCookies
@testable import NetKitPaging

@Suite("Common errors")
struct CallErrorTests {
    typealias Failure = ErrorResponse<ServerMessage>

    private static func response(_ status: HTTPStatus) throws -> HTTPResponse {
        let url = try #require(URL(string: "https://host.test/x"))
        let head = ResponseHead(status: status, headers: [:])
        return HTTPResponse(to: EncodedRequest(url: url, method: .get), head, body: Data())
    }

    /// A case, and what it says of itself: c for cancelled, d for a deadline, t for transient.
    private static let cases: [(any CallError, String)] = [
        (Failure.cancelled, "c"), (Failure.timeout(.idle), "dt"), (Failure.timeout(.total), "dt"),
        (Failure.transport(TransportError(.connectionLost)), "t"),
        (Failure.transport(TransportError(.secureConnection)), ""),
        (Failure.invalidRequest(InvalidRequest(.missingEndpoint)), ""),
        (Failure.interceptor(CircuitOpenError(retryAfter: .seconds(1))), "t"),
        (Failure.interceptor(Failure.cancelled), "c"),
        (Failure.interceptor(URLError(.timedOut)), ""),
        (StreamFailure.cancelled, "c"), (StreamFailure.timeout(.idle), "dt"),
        (StreamFailure.transport(TransportError(.truncatedResponse)), "t"),
        (StreamFailure.readerTooSlow(bufferedBytes: 1), ""),
        (StreamFailure.lineTooLong(limit: 1), ""),
        (StreamFailure.unexpectedStatus(205), ""),
        (PagingFailure.tooManyPages(maximum: 2), ""),
        (PollingFailure.notReady(after: .seconds(1)), "dt"),
        (PollingFailure.invalidLocation("x"), ""), (DownloadFailure(.diskFull, "/x"), ""),
        (TransportError(.cannotConnect), "t"), (TransportError(.unsupported), ""),
        (DecodingFailure.emptyBody(Int.self), ""), (ConversionFailure(.malformedJSON("x")), ""),
        (InvalidRequest(.missingEndpoint), ""), (CircuitOpenError(retryAfter: .seconds(1)), "t"),
        (CookieFileError(.notCookies, "/x"), ""), (CacheFolderError(ENOTDIR, "/x"), ""),
    ]

    @Test("distinguishes cancellations, timeouts and transient failures", arguments: cases)
    func kinds(error: any CallError, expected: String) {
        let said =
            (error.isCancellation ? "c" : "") + (error.isTimeout ? "d" : "")
            + (error.isTransient ? "t" : "")
        #expect(said == expected)
        #expect(error.localizedDescription == error.message && !error.message.isEmpty)
        let isOneLine = !error.message.contains(where: \.isNewline)
        #expect(isOneLine && error.response == nil)
    }

    @Test(
        "is transient by the status of a response",
        arguments: [(503, true), (429, true), (408, true), (404, false), (501, false)]
    )
    func statuses(code: Int, isTransient: Bool) throws {
        let response = try Self.response(HTTPStatus(rawValue: code))
        let message = try ServerMessage.decode(from: response, using: JSONDecoder())
        let errors: [any CallError] = [
            Failure.server(message, response),
            Failure.undecodableServerError(response, underlying: CancellationError()),
        ]
        for error in errors {
            #expect(error.isTransient == isTransient && !error.isCancellation)
            #expect(error.response?.statusCode == code)
        }
    }

    @Test("returns its underlying error")
    func underlying() throws {
        let lost = TransportError(.connectionLost, underlying: URLError(.networkConnectionLost))
        #expect(Failure.transport(lost).underlyingError is TransportError)
        #expect(StreamFailure.transport(lost).underlyingError is TransportError)
        #expect(lost.underlyingError is URLError)
        #expect(DecodingFailure.emptyBody(Int.self).underlyingError is DecodingError)
        let response = try Self.response(200)
        let decoding = Failure.decoding(
            response,
            underlying: ConversionFailure(.malformedJSON("x"))
        )
        #expect(decoding.underlyingError is ConversionFailure && !decoding.isTransient)
        #expect(Failure.cancelled.underlyingError == nil)
    }
}
