import Foundation
import NetKit
import NetKitTesting

/// Responds without a network, for tests.
struct StubDemonstration: Demonstration {
    let name = "stub"
    let summary = "stub responses without a network, and check the requests"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let stub = StubTransport(basePath: context.endpoint.baseURL.path)
        stub.on(.post, "/login/facebook") { _ in .json(["id": 42]) }
        stub.on(.get, "/status/{code}") { request in
            .status(HTTPStatus(rawValue: try request.parameter("code")))
        }
        let endpoint = Endpoint(baseURL: context.endpoint.baseURL, transport: stub)

        context.asked(#"stub.on(.get, "/status/{code}") { … }; StatusRequest(code: 204)"#)
        let status = try await endpoint.response(for: StatusRequest(code: 204)).http.status
        context.cameBack("\(status)")
        try context.expect(status == 204, "the stub responded without a server")

        context.asked("stub.unusedStubs")
        context.cameBack("\(stub.unusedStubs)")
        try context.expect(
            stub.unusedStubs.map(\.path) == ["/login/facebook"],
            "the login route is unused"
        )

        context.asked("SearchRequest(queryParams: …)    // the stub has no route for it")
        do {
            _ = try await endpoint.value(for: SearchRequest(queryParams: [("q", "fox")]))
            throw DemonstrationError("the stub responded")
        } catch let error as ErrorResponse<ServerMessage> {
            context.cameBack("\(error)")
            try context.expect(stub.unmatchedRequests.count == 1, "the stub lists the request")
        }
    }
}
