import Foundation
import Testing

@testable import NetKit

@Suite("Call failure")
struct CallFailureTests {
    private struct Refused: ServerError, Decodable, Equatable { let message: String }
    private typealias Failure = ErrorResponse<Refused>

    /// An error that user code threw, such as a refresh, and how the call ends.
    private static let thrown: [(any Error, String)] = [
        (Failure.transport(TransportError(.cannotConnect)), "transport cannotConnect"),
        (ErrorResponse<String>.transport(TransportError(.other)), "transport other"),
        (Failure.timeout(.idle), "timeout idle"), (Failure.cancelled, "cancelled"),
        (Failure.invalidRequest(InvalidRequest(.missingEndpoint)), "invalid missingEndpoint"),
        (Failure.interceptor(URLError(.badURL)), "interceptor URLError"),
        (
            StreamFailure.transport(TransportError(.truncatedResponse)),
            "transport truncatedResponse"
        ),
        (StreamFailure.timeout(.total), "timeout total"), (StreamFailure.cancelled, "cancelled"),
        (StreamFailure.readerTooSlow(bufferedBytes: 1), "interceptor StreamFailure"),
        (TransportError(.connectionLost), "transport connectionLost"),
        (InvalidRequest(.missingEndpoint), "invalid missingEndpoint"),
        (DownloadFailure(.diskFull, "/x"), "transport other"),
        (CancellationError(), "cancelled"), (CallFailure.timeout(.idle), "timeout idle"),
        (URLError(.timedOut), "interceptor URLError"),
        (CircuitOpenError(retryAfter: .seconds(1)), "interceptor CircuitOpenError"),
    ]

    @Test(
        "keeps the kind of an error thrown by user code, whatever its error type",
        arguments: thrown
    )
    func kinds(error: any Error, expected: String) {
        #expect(Self.kind(CallFailure(thrown: error)) == expected)
    }

    @Test("keeps another call's response inside an error thrown by user code")
    func responses() throws {
        let response = try HTTPResponse.sample(#"{"message":"no"}"#)
        let errors: [Failure] = [
            .server(Refused(message: "no"), response),
            .undecodableServerError(response, underlying: CancellationError()),
            .decoding(response, underlying: CancellationError()),
        ]
        for error in errors {
            guard case .interceptor(let inner) = CallFailure(thrown: error) else {
                Issue.record("\(error)")
                continue
            }
            let kept = try #require(inner as? Failure)
            #expect(kept.response?.body == response.body && kept.message == error.message)
        }
    }

    private static func kind(_ failure: CallFailure) -> String {
        switch failure {
        case .transport(let error): "transport \(error.kind)"
        case .timeout(let phase): "timeout \(phase)"
        case .cancelled: "cancelled"
        case .invalidRequest(let invalid): "invalid \(invalid.reason)"
        case .interceptor(let error): "interceptor \(type(of: error))"
        }
    }
}
