import Foundation
import NetKit
import NetKitTesting

/// The request, the response and the duration of each attempt, and its curl command.
struct DebuggingDemonstration: Demonstration {
    let name = "debugging"
    let summary = "inspect each attempt, and copy its curl command"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    func run(_ context: Context) async throws {
        context.asked(
            "LoginWithFacebookRequest(token: …).execute(on: endpoint).onDebug { info in … }"
        )
        let (infos, sink) = AsyncStream.makeStream(of: DebugInfo.self)
        LoginWithFacebookRequest(token: "fake-secret").execute(on: context.endpoint)
            .onDebug { sink.yield($0) }
            .onSuccess { _ in sink.finish() }
            .onFail { _ in sink.finish() }
        for await info in infos {
            let command = info.cURL ?? ""
            context.cameBack("\(info)")
            context.cameBack(command)
            let phases = info.phases
            let queued = Layout.milliseconds(phases?.queueDuration ?? .zero)
            let head = Layout.milliseconds(phases?.headDuration ?? .zero)
            context.cameBack("queued \(queued), head after \(head)")
            try context.expect(
                command.hasPrefix("curl --request POST") && !command.contains("fake-secret"),
                "the curl command contains no secret"
            )
        }
    }
}
