import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Retriers", .timeLimit(.minutes(15)))
struct RetrierScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
        var method: HTTPMethod = .get
        var headers: HTTPHeaders = [:]
    }

    /// Sends the same again, whatever it was, or a changed request.
    private final class Stubborn: RequestRetrier {
        let journal = Journal()
        let replacement: (@Sendable (Text) -> Text?)?

        init(_ replacement: (@Sendable (Text) -> Text?)? = nil) {
            self.replacement = replacement
        }

        func canHandleError<R: Request>(
            _ error: ErrorResponse<R.ErrorType>,
            for request: R
        ) -> Bool {
            journal.note("\(error.kind)")
            return true
        }

        func handleError<R: Request>(
            _ error: ErrorResponse<R.ErrorType>,
            for request: R,
            on endpoint: Endpoint
        ) async -> R? {
            guard let replacement else { return request }
            return (request as? Text).flatMap(replacement) as? R
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .status(400) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    @Test("stops at the retry limit when every attempt asks for another", arguments: [0, 1, 3])
    func bounded(count: Int) async throws {
        let retrier = Stubborn()
        endpoint.requestRetrying.registerRetrier(retrier)
        endpoint.requestRetrying.registerRetrier(retrier)
        let operation = Text(method: .post).execute(on: endpoint).retryOnFail(count)
        #expect(await operation.failure?.statusCode == 400)
        #expect(server.requests.count == count + 1)
        #expect(operation.history.map(\.next).dropLast().allSatisfy { $0 == .retrier })
    }

    @Test("shares the endpoint's retry limit with the policy")
    func endpointCount() async throws {
        endpoint.retryingCount = 2
        endpoint.requestRetrying.registerRetrier(Stubborn())
        _ = await Text().execute(on: endpoint).failure
        #expect(server.requests.count == 3)
    }

    @Test("isn't consulted after it is unregistered")
    func unregistered() async throws {
        let retrier = Stubborn()
        endpoint.requestRetrying.registerRetrier(retrier)
        endpoint.requestRetrying.unregisterRetrier(retrier)
        _ = await Text().execute(on: endpoint).failure
        #expect(server.requests.count == 1)
    }

    @Test("can send a changed request, visible to interceptors and decoding")
    func changed() async throws {
        server.route(nil, "/other") { _ in .text("other") }
        endpoint.requestRetrying.registerRetrier(Stubborn { _ in Text(path: "other") })
        let response = try await endpoint.response(for: Text())
        #expect(response.value == "other")
        #expect(response.attempts == 2)
        #expect(response.history.map(\.next) == [.retrier, .done])
    }

    @Test("defers to the policy when it declines")
    func declined() async throws {
        server.enqueue(.status(503), .text("there"))
        endpoint.requestRetrying.registerRetrier(Stubborn { _ in nil })
        #expect(try await endpoint.value(for: Text()) == "there")
    }

    @Test(
        "receives undecodable errors, undecodable values and failures without a response"
    )
    func kinds() async throws {
        struct Number: Request {
            typealias ResponseObjectType = Int
            typealias ErrorType = Detailed
            let path = "text"
        }
        struct Detailed: ServerError, Decodable {
            let message: String
            let code: Int
        }
        let retrier = Stubborn { _ in nil }
        endpoint.retryPolicy = .never
        endpoint.requestRetrying.registerRetrier(retrier)
        for response in [
            MockResponse.text("html", status: 500), .text("no number"),
            .text("half").cutting(afterBodyBytes: 2),
        ] {
            server.enqueue(response)
            _ = await Number().execute(on: endpoint).retryOnFail(1).failure
            server.clearRequests()
        }
        retrier.journal.end()
        let kinds = await retrier.journal.entries
        #expect(kinds.first == "\(FailureKind.undecodableServerError(500))")
        #expect(kinds.contains("\(FailureKind.decoding(200))"))
        #expect(kinds.contains("\(FailureKind.transport(.truncatedResponse))"))
    }

    @Test("decodes each response once, with or without a retrier")
    func decodings() async throws {
        struct Counted: Request {
            typealias ResponseObjectType = String
            typealias ErrorType = CountedError
            let path = "text"
            let journal: Journal
            var responseDecoding: ResponseDecoding<String> {
                ResponseDecoding { response, _ in
                    journal.note("value")
                    return response.text
                }
            }
            var errorConverter: (any ResponseJSONConverter)? {
                ClosureResponseConverter { json in
                    journal.note("error")
                    return json
                }
            }
        }
        struct CountedError: ServerError, Decodable { let message: String }
        endpoint.requestRetrying.registerRetrier(Stubborn())
        server.enqueue(.json(text: #"{"message":"no"}"#, status: 400), .text("there"))
        let journal = Journal()
        let operation = Counted(journal: journal).execute(on: endpoint).onDebug { _ in }
        #expect(try await operation.value == "there")
        journal.end()
        #expect(await journal.entries == ["error", "value"])
    }

    @Test("keeps the idempotency key of a repeatable POST")
    func idempotencyKey() async throws {
        endpoint.requestRetrying.registerRetrier(Stubborn { _ in Text(method: .post) })
        _ = await Text(method: .post).execute(on: endpoint, retrying: 2).failure
        let keys = server.requests.map { $0.header("Idempotency-Key") }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1)
        #expect(keys.first != nil)
    }
}
