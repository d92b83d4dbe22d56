import Dispatch
import NetKit
import NetKitTesting

/// The handlers of a call, an observer of all calls of a type, and a custom converter.
struct HandlersDemonstration: Demonstration {
    let name = "handlers"
    let summary = "chain every handler, on a queue, and observe calls from outside"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("GET", "/users/42") { _ in
            .json(text: #"{"user": {"id": 42, "name": "Ada"}}"#)
        }
    }

    /// Unwraps `{"user": …}`.
    private struct Unwrapping: ResponseJSONConverter {
        func convertedJSON(from json: Any) throws -> Any {
            (json as? [String: Any])?["user"] ?? json
        }
    }

    private final class WrappedUserRequest: Request {
        typealias ResponseObjectType = User
        let path = "users/42"
        let responseConverter: (any ResponseJSONConverter)? = Unwrapping()
        /// Converts the error as `{ $0 }` would, which shows the other way to write a converter.
        let errorConverter: (any ResponseJSONConverter)? = ClosureResponseConverter { $0 }
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        context.asked("endpoint.observation.register(for: WrappedUserRequest.self) { … }")
        let token = endpoint.observation.register(for: WrappedUserRequest.self) { request, _ in
            sink.yield("observed \(request.path)")
        }
        context.asked(
            "WrappedUserRequest().execute(on: endpoint).response(on: queue).onStart { … } …"
        )
        WrappedUserRequest().execute(on: endpoint)
            .response(on: DispatchQueue(label: "handlers"))
            .onStart { sink.yield("onStart") }
            .onProgress { sink.yield("onProgress \($0)") }
            .onSuccess { sink.yield("onSuccess \($0.name)") }
            .onFail { sink.yield("onFail \($0.message)") }
            .onSuccess { _ in sink.finish() }
            .onFail { _ in sink.finish() }
        var all: [String] = []
        for await line in lines { all.append(line) }
        endpoint.observation.unregister(token)
        context.cameBack(all.joined(separator: "\n"))
        try context.expect(
            all.first == "onStart" && all.last == "onSuccess Ada",
            "onStart ran first, and onSuccess last, with the converted user"
        )
        try context.expect(all.contains("observed users/42"), "the observer saw the call")
    }
}
