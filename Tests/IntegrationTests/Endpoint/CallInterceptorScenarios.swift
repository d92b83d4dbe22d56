import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Call interceptors", .timeLimit(.minutes(15)))
struct CallInterceptorScenarios {
    private struct Shelf: Request {
        typealias ResponseObjectType = String
        var path = "shelves/{shelf}?order=asc"
        @Path("shelf") var shelf = "a b"
        var interceptors: [any Interceptor] = []
    }

    private enum Marker { @TaskLocal static var value = "none" }

    private let server: MockServer
    private let endpoint: Endpoint
    private let journal = Journal()

    init() throws {
        server = try MockServer()
        server.route(nil, "/shelves/*") { _ in .text("books") }
        server.route(nil, "/moved") { _ in .text("moved") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 2)
        endpoint.retryPolicy.backoff = .none
    }

    /// Notes what it sees.
    private func noting(_ name: String, _ scope: InterceptorScope) -> ClosureInterceptor {
        let journal = journal
        return ClosureInterceptor(scope: scope) { request, next in
            let context = RequestContext.current
            journal.note(
                "\(name) \(context.attempt) \(context.pathTemplate ?? "-") \(Marker.value)"
            )
            let response = try await next(request)
            journal.note("\(name) \(response.statusCode)")
            return response
        }
    }

    @Test("runs once, around all attempts, redirects and interceptors of other scopes")
    func order() async throws {
        server.enqueue(.status(503), .redirect(to: "/moved"))
        endpoint.interceptors = [noting("exchange", .exchange), noting("attempt", .attempt)]
        let request = Shelf(interceptors: [
            ClosureInterceptor(scope: .call) { request, next in
                try await Marker.$value.withValue("marked") { try await next(request) }
            }, noting("call", .call),
        ])
        #expect(try await endpoint.value(for: request) == "moved")
        journal.end()
        let template = "shelves/{shelf}?order=asc marked"
        #expect(
            await journal.entries == [
                "call 1 \(template)", "attempt 1 \(template)", "exchange 1 \(template)",
                "exchange 503", "attempt 503", "attempt 2 \(template)", "exchange 2 \(template)",
                "exchange 302", "exchange 2 - marked", "exchange 200", "attempt 200", "call 200",
            ]
        )
    }

    @Test("can change the request of all attempts and the final response")
    func changes() async throws {
        server.enqueue(.status(503), .status(503), .status(503))
        let journal = journal
        let request = Shelf(interceptors: [
            ClosureInterceptor(scope: .call) { request, next in
                var request = request
                request.headers["X-Call"] = "yes"
                let response = try await next(request)
                journal.note("\(response.status)")
                return HTTPResponse(
                    request: response.request,
                    url: response.url,
                    status: 200,
                    body: Data("fallback".utf8)
                )
            }
        ])
        let operation = request.execute(on: endpoint).onSuccess { _ in }
        #expect(try await operation.value == "fallback")
        #expect(operation.history.map(\.number) == [1, 2, 3])
        #expect(server.requests.map { $0.header("X-Call") } == ["yes", "yes", "yes"])
        journal.end()
        #expect(await journal.entries == ["503 Service Unavailable"])
    }

    @Test("replaces the response that is decoded", arguments: [200, 404])
    func replacedResponse(status: Int) async throws {
        server.enqueue(.text("raw", status: status))
        let request = Shelf(interceptors: [
            ClosureInterceptor(scope: .call) { request, next in
                _ = try await next(request)
                return HTTPResponse(to: request, status: 200, body: Data("fallback".utf8))
            }
        ])
        #expect(try await endpoint.value(for: request) == "fallback")
        #expect(server.requests.count == 1)
    }

    @Test("doesn't delay a cancel, and keeps the call's history")
    func cancelling() async throws {
        server.enqueue(.status(503), .fault(.stall))
        let request = Shelf(interceptors: [noting("call", .call)])
        let operation = request.execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(2)
        operation.cancel()
        #expect(await operation.failure?.kind == .cancelled)
        #expect(operation.history.first?.outcome == .response(503))
        try await server.waitForClientClose()
    }

    @Test("wraps a stream until its last byte")
    func stream() async throws {
        let request = Shelf(interceptors: [noting("call", .call)])
        var body = Data()
        for try await chunk in try await endpoint.stream(request) { body += chunk }
        #expect(body == Data("books".utf8))
        journal.end()
        let begun = "call 1 shelves/{shelf}?order=asc none"
        #expect(await journal.entries.first == begun)
    }
}
