import Foundation
import NetKit
import NetKitTesting

/// Gets typed errors, and one token refresh, from answers whose status is 200.
struct GraphQLDemonstration: Demonstration {
    let name = "graphql"
    let summary = "read the errors of GraphQL in a 200, and refresh a token for them"
    let needsOwnServer = true

    private struct Operation: Decodable {
        struct Variables: Decodable {
            let id: Int
        }

        let variables: Variables
    }

    func prepare(_ server: MockServer) {
        server.route("POST", "/token") { _ in .text("fresh") }
        server.route("POST", "/graphql") { request in
            guard request.header("Authorization") == "Bearer fresh" else {
                return try failure("UNAUTHENTICATED", "The token has expired.")
            }
            let id = try JSONDecoder().decode(Operation.self, from: request.body).variables.id
            guard id > 0 else { return try failure("NOT_FOUND", "There is no order \(id).") }
            return .json(text: #"{"data":{"order":{"total":\#(Double(id) * 1.5)}}}"#)
        }
    }

    private func failure(_ code: String, _ message: String) throws -> MockResponse {
        try .json(
            GraphQLFailure(
                errors: [.init(message: message, extensions: ["code": .string(code)])]
            )
        )
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        endpoint.authentication = BearerAuthentication(token: "stale") { _, endpoint in
            try await endpoint.value(
                for: DefaultRequest<String, ServerMessage>(path: "token", method: .post)
            )
        }
        context.asked("endpoint.values(for: [OrderTotalRequest(2), OrderTotalRequest(4)])")
        let totals = try await endpoint.values(for: [OrderTotalRequest(2), OrderTotalRequest(4)])
            .map { try $0.get() }
        context.cameBack("\(totals)")
        try context.expect(totals == [3, 6], "both operations succeeded")
        let refreshes = try context.ownServer().requests.filter { $0.path == "/token" }
        try context.expect(refreshes.count == 1, "they shared one refresh after a 200")

        context.asked("try await endpoint.value(for: OrderTotalRequest(0))")
        let error = await error(of: OrderTotalRequest(0), on: endpoint)
        context.cameBack(error?.message ?? "a value")
        try context.expect(
            error?.serverError?.code == "NOT_FOUND",
            "the errors of a 200 are the request's typed error"
        )
    }

    private func error(
        of request: OrderTotalRequest,
        on endpoint: Endpoint
    ) async -> ErrorResponse<GraphQLFailure>? {
        do {
            _ = try await endpoint.value(for: request)
            return nil
        } catch {
            return error
        }
    }
}
