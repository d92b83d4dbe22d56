import Foundation
import NetKit
import NetKitTesting

/// The decoder of one call takes precedence over the request's and the endpoint's.
struct DecoderDemonstration: Demonstration {
    let name = "decoder"
    let summary = "use another JSONDecoder for one call"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("GET", "/people/*") { _ in
            .json(text: #"{"first_name": "Ada", "joined_at": "2024-05-01T09:30:00Z"}"#)
        }
    }

    func run(_ context: Context) async throws {
        context.asked("try await endpoint.value(for: PersonRequest(id: 7))")
        let message = await failure(of: PersonRequest(id: 7), on: context.endpoint)
        context.cameBack(message)
        try context.expect(message.contains("firstName"), "the error names the missing key")

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601

        context.asked("PersonRequest(id: 7).execute(on: endpoint).decode(with: decoder)")
        let person = try await PersonRequest(id: 7)
            .execute(on: context.endpoint)
            .decode(with: decoder)
            .value
        context.cameBack("\(person)")
        try context.expect(person.firstName == "Ada", "the call used the decoder")
        let path = try context.lastRequest().path
        try context.expect(path == "/people/7", "the stored parameter filled the path")
    }

    private func failure(of request: PersonRequest, on endpoint: Endpoint) async -> String {
        do {
            return "\(try await endpoint.value(for: request))"
        } catch {
            return error.message
        }
    }
}
