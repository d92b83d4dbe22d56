import NetKit

/// Any status other than 2xx is an error, which carries the whole response.
struct StatusDemonstration: Demonstration {
    let name = "status"
    let summary = "distinguish success and errors by status code"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        for code in [200, 404, 410] {
            context.asked("try await endpoint.value(for: StatusRequest(code: \(code)))")
            let error = await error(of: StatusRequest(code: code), on: context.endpoint)
            // `message` is for people: the server's own message, or else the status.
            context.cameBack(error?.message ?? "a value")
            try context.expect(
                error?.statusCode == (code == 200 ? nil : code),
                code == 200 ? "200 is a success" : "the error has the status \(code)"
            )
        }
    }

    private func error(
        of request: StatusRequest,
        on endpoint: Endpoint
    ) async -> ErrorResponse<ServerMessage>? {
        do {
            try await endpoint.value(for: request)
            return nil
        } catch {
            return error
        }
    }
}
