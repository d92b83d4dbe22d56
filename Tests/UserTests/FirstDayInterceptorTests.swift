import Foundation
import NetKit
import NetKitTesting
import Testing

// Also a file of MainActorTests, where everything is isolated to the main actor by default. No interceptor needs
// FoundationNetworking.

/// Says when the program was started.
private struct Stamping: Interceptor {
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers["X-Started"] = "today"
        return try await next(request)
    }
}

private nonisolated struct Signing: Interceptor {
    let key: String
    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        var signed = request
        let length = request.body?.length ?? 0
        signed.headers.set("X-Sign", to: "\(key) \(request.method) \(length)", isSensitive: true)
        return try await next(signed)
    }
}

private final class Retrying: Interceptor {
    let scope = InterceptorScope.call

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let response = try await next(request)
        guard response.status == 426 else { return response }
        var other = request
        other.headers["X-Version"] = "2"
        return try await next(other)
    }
}

private struct Answering: Interceptor {
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        guard request.url.path == "/own" else { return try await next(request) }
        return HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
    }
}

/// Counts the requests, in state of the main actor.
@MainActor private final class Counting: Interceptor {
    var count = 0

    nonisolated init() {}

    @MainActor func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        count += 1
        return try await next(request)
    }
}

@Suite("Interceptors of the first day", .timeLimit(.minutes(15)))
nonisolated struct FirstDayInterceptorTests {
    @Test("stamp, sign, send again and answer")
    func all() async throws { try await FirstDayInterceptors().all() }
}

/// The lines, in the isolation of their module.
private struct FirstDayInterceptors {
    func all() async throws {
        let stub = StubTransport()
        stub.on(.post, "/text") { request in
            request.headers["X-Version"] == "2" ? .text("new") : .status(426)
        }
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: "https://api.example.com")),
            transport: stub,
            retryingCount: 0
        )
        let counting = Counting()
        endpoint.interceptors = [
            counting, Retrying(), Stamping(), Answering(), Signing(key: "k"),
        ]
        let text: String = try await endpoint.post("text", RequestBody.string("abc"))
        #expect(text == "new")
        #expect(stub.requests.map { $0.headers["X-Sign"] } == ["k POST 3", "k POST 3"])
        #expect(stub.requests.map { $0.headers["X-Started"] } == ["today", "today"])
        let own: String = try await endpoint.get("own")
        #expect(own == "own")
        let count = Task { @MainActor in counting.count }
        #expect(await count.value == 3)
    }
}
