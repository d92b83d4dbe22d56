import Foundation
import NetKit
import NetKitHAR
import NetKitTesting

/// Records exchanges without secrets, and replays them without the server.
struct ReplayDemonstration: Demonstration {
    let name = "replay"
    let summary = "record calls in a HAR file, and replay them"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    func run(_ context: Context) async throws {
        let recorder = HARRecorder()
        let recording = RecordingTransport(to: recorder)
        let live = Endpoint(baseURL: context.endpoint.baseURL, transport: recording)

        context.asked("endpoint.value(for: LoginWithFacebookRequest(token: …))    // recorded")
        let user = try await live.value(for: LoginWithFacebookRequest(token: "fake-secret"))
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        try recorder.write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        context.cameBack("\(user), and a HAR file of \(text.utf8.count) bytes")
        try context.expect(!text.contains("fake-secret"), "the file doesn't contain the token")

        try context.ownServer().stop()
        let replay = try ReplayTransport(contentsOf: file)
        let endpoint = Endpoint(baseURL: context.endpoint.baseURL, transport: replay)
        context.asked("endpoint.value(for: LoginWithFacebookRequest(token: …))    // replayed")
        let again = try await endpoint.value(for: LoginWithFacebookRequest(token: "another"))
        context.cameBack("\(again)")
        try context.expect(
            again.id == user.id && replay.unusedRequests.isEmpty,
            "the recording responded without the server, whatever the token"
        )
    }
}
