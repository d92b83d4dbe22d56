import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

/// What the four libraries' documentations show around a call: observers, retriers, handlers, preprocessors, loggers.
@Suite("Migration of observers, retriers and loggers", .timeLimit(.minutes(15)))
struct MiddlewareMigrationTests {
    private struct Me: Request {
        typealias ResponseObjectType = User
        typealias ErrorType = APIError
        let path = "me"
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("GET", "/me") { request in
            request.header("Authorization") == "Bearer new"
                ? .json(text: #"{"id":7}"#) : .json(text: #"{"message":"sign in"}"#, status: 401)
        }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    // MARK: NerdzNetworking

    // `endpoint.observation.register { (request: Me, result, error) in }`, `register(for: .unauthorized)`,
    // `unregisterObserver(with:)`
    @Test("migrates NerdzNetworking's observers")
    func observers() async throws {
        let journal = Journal()
        let token = endpoint.observation.register(for: Me.self) { _, result in
            switch result {
            case .success(let user): journal.note("user \(user.id)")
            case .failure(let error): journal.note(error.message)
            }
        }
        endpoint.observation.register(for: [.unauthorized]) { response in
            journal.note("\(response.statusCode)")
        }
        _ = await Me().execute(on: endpoint).failure
        endpoint.headers.authToken = .bearer("new")
        _ = try await endpoint.value(for: Me())
        endpoint.observation.unregister(token)
        _ = try await endpoint.value(for: Me())
        journal.end()
        #expect(await journal.entries == ["sign in", "401", "user 7"])
    }

    // `OnStatusCodesRequestRetrier`: `codes`, `handleError(_:for:on:)`,
    // `endpoint.requestRetrying.registerRetrier(_:)`, `unregisterRetrier(_:)`
    @Test("migrates NerdzNetworking's retriers")
    func retriers() async throws {
        endpoint.interceptors = [TokenRetry("new")]
        #expect(try await endpoint.value(for: Me()) == User(id: 7))
        #expect(server.requests.count == 2)
        endpoint.interceptors = []
        #expect(await Me().execute(on: endpoint).failure?.statusCode == 401)
    }

    // `AuthTokenRetrier`
    @Test("migrates NerdzNetworking's token retrier")
    func tokenRetrier() async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { _ in "new" }
        #expect(try await endpoint.value(for: Me()) == User(id: 7))
    }

    // `print(try endpoint.cURL(for: request))`, `onDebug { print($0.cURL) }`
    @Test("migrates NerdzNetworking's curl commands")
    func curl() async throws {
        endpoint.headers.authToken = .bearer("new")
        let command = try endpoint.cURL(for: Me(), redacting: .none)
        #expect(command.hasPrefix("curl --request GET \\\n  --url '\(server.url("/me"))' \\\n"))
        #expect(command.contains("--header 'Authorization: Bearer new'"))
        let infos = Locked<[String?]>([])
        let operation = Me().execute(on: endpoint)
            .onDebug { info in
                infos.withLock { $0.append(info.cURL) }
            }
        await operation.delivered()
        #expect(infos.withLock { $0 } == [try endpoint.cURL(for: Me())])
    }

    // MARK: NetworkingService

    // `NetworkLogger`: `log(request:)`, `log(responseData:response:)`, `log(error:)`
    @Test("migrates NetworkingService's loggers")
    func loggers() async throws {
        let logger = LineLogger(level: .trace)
        endpoint.logger = logger
        _ = await Me().execute(on: endpoint).failure
        let lines = logger.lines
        #expect(lines.contains { $0.hasPrefix("trace") && $0.contains("> GET ") })
        #expect(
            lines.contains {
                $0.hasPrefix("trace") && $0.contains("< 401 ") && $0.contains("sign in")
            }
        )
        #expect(lines.last?.hasPrefix("error") == true)
        #expect(lines.filter { $0.hasPrefix("error") }.count == 1)
    }

    // MARK: SwiftConnect

    // `ErrorHandlerProtocol.handle(response:)`, whose error is what is thrown, and which may find that nothing is wrong.
    private struct Trouble: ServerError {
        let message: String

        static func decode(
            from response: HTTPResponse,
            using decoder: JSONDecoder
        ) throws -> Trouble {
            Trouble(message: "\(response.statusCode): \(response.text)")
        }
    }

    private struct Tolerant: Request {
        typealias ResponseObjectType = String
        typealias ErrorType = Trouble
        var path = "tea"
    }

    @Test("migrates SwiftConnect's error handlers")
    func errorHandlers() async throws {
        server.route(nil, "/tea") { _ in .text("short and stout", status: 418) }
        let error = await Tolerant().execute(on: endpoint).failure
        #expect(error?.message == "418: short and stout")
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let response = try await next(request)
                guard response.status == 418 else { return response }
                return HTTPResponse(
                    to: request,
                    status: .ok,
                    headers: response.headers,
                    body: response.body
                )
            }
        ]
        #expect(try await endpoint.value(for: Tolerant()) == "short and stout")
    }

    // `ConnectMiddleware`: `adapt(_:for:completion:)`, `retry(_:for:dueTo:completion:)` with `.retryWithDelay`
    private struct Middleware: Interceptor {
        let scope = InterceptorScope.call

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            let response = try await next(request)
            guard response.status == .unauthorized else { return response }
            try await Task.sleep(for: .milliseconds(1))
            var again = request
            again.headers["Authorization"] = "Bearer new"
            return try await next(again)
        }
    }

    @Test("migrates SwiftConnect's middleware")
    func middleware() async throws {
        endpoint.interceptors = [Middleware()]
        #expect(try await endpoint.value(for: Me()) == User(id: 7))
        #expect(server.requests.count == 2)
    }

    // `connect.request(request:debugResponse: true)`
    @Test("migrates SwiftConnect's printed responses")
    func debugResponse() async throws {
        let logger = LineLogger()
        await Me().execute(on: endpoint).debugResponse(true, to: logger).delivered()
        #expect(logger.lines.count == 1)
        #expect(logger.lines.first?.contains(#"{"message":"sign in"}"#) == true)
    }

    // MARK: SwiftNetworking

    // `RequestPreprocessor.preprocess(_:rewriteExistedData:)`
    @Test("migrates SwiftNetworking's preprocessors")
    func preprocessors() async throws {
        endpoint.interceptors = [DefaultFields { ["Authorization": "Bearer new"] }]
        #expect(try await endpoint.value(for: Me()) == User(id: 7))
    }

    // `ErrorHandler.canHandle(error:)`, `handle(error:)`
    @Test("migrates SwiftNetworking's error handlers")
    func recovery() async throws {
        endpoint.interceptors = [TokenRetry("new")]
        let operation = Me().execute(on: endpoint)
        #expect(try await operation.value == User(id: 7))
        #expect(operation.history.map(\.outcome) == [.response(.unauthorized), .response(.ok)])
    }

    // `RegularHost(…, logger:)` with a logger of one method
    @Test("migrates SwiftNetworking's loggers")
    func oneMethodLogger() async throws {
        let logger = LineLogger(level: .warning)
        endpoint.logger = logger
        server.enqueue(.status(503))
        endpoint.headers.authToken = .bearer("new")
        _ = try await endpoint.value(for: Me())
        #expect(logger.lines.count == 1)
        #expect(logger.lines.first?.hasPrefix("warning") == true)
    }
}
