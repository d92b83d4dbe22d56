import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Stubbed endpoint")
struct StubbedEndpointTests {
    private struct Bird: Codable, Equatable, Sendable { var name = "wren" }

    @Test("answers with the routes of its closure")
    func routes() async throws {
        let endpoint = Endpoint.stub { $0.on(.get, "/birds/1") { _ in .json(Bird()) } }
        #expect(try await endpoint.get("birds/1") == Bird())
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.get("birds/2", as: Bird.self)
        }
    }

    @Test("fills each placeholder of a path with one segment")
    func placeholders() async throws {
        let endpoint = Endpoint.stub { stub in
            stub.on(.get, "/birds/*") { .json(Bird(name: $0.path)) }
            stub.on(.post, "/birds/*") { .json(Bird(name: $0.path)) }
        }
        let bird: Bird = try await endpoint.get(
            "birds/{name}/rings/{number}",
            path: ["name": "a/b c?", "number": 7],
            query: [("q", "1")]
        )
        #expect(bird.name == "/birds/a%2Fb%20c%3F/rings/7")
        let posted = try await endpoint.post(
            "birds/{name}",
            .json(["a": 1]),
            path: ["name": UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))],
            as: Bird.self
        )
        #expect(posted.name == "/birds/00000000-0000-0000-0000-000000000001")
    }

    @Test(
        "refuses a value without a placeholder, a placeholder without a value, and an invalid segment",
        arguments: [
            ("birds/{name}", ["name": ".."], InvalidRequest.Reason.unsafePathParameter("name")),
            ("birds/{name}", ["name": ""], .unsafePathParameter("name")),
            ("birds/{name}", ["name": String?.none], .missingPathParameter("name")),
            ("birds/{name}", ["nam": "x"], .missingPathParameter("name")),
            ("birds", ["name": "x"], .missingPathParameter("name")),
            ("birds/{name}", [:], .missingPathParameter("name")),
        ] as [(String, [String: any Sendable], InvalidRequest.Reason)]
    )
    func refused(
        path: String,
        values: [String: any Sendable],
        reason: InvalidRequest.Reason
    ) async throws {
        let endpoint = Endpoint.stub { _ in }
        do throws(ErrorResponse<ServerMessage>) {
            let bird: Bird = try await endpoint.get(path, path: values)
            Issue.record("not refused: \(bird)")
        } catch {
            guard case .invalidRequest(let invalid) = error else {
                Issue.record("another error: \(error)")
                return
            }
            #expect(invalid.reason == reason)
        }
    }
}
