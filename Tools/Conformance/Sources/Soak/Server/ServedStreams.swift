import Foundation
import NetKitTesting

// Streams of lines and of server-sent events.
extension FaultyServer {
    func addStreams() {
        route("/lines/*") { request in
            let lines = (0..<request.query("count"))
                .map { Data((Content.line($0, of: request.number) + "\n").utf8) }
            return .chunked(lines, every: .milliseconds(request.query("pause")))
                .header("Content-Type", "text/plain; charset=utf-8")
        }
        // Each connection has some of the events that follow the last one that the client has.
        route("/events/*") { request in
            let count = request.query("count")
            let first = request.header("Last-Event-ID").flatMap { Int($0) } ?? 0
            guard first < count else { return .status(204) }
            let last = min(count, first + request.query("each"))
            let events = ((first + 1)...last)
                .map { id in "id: \(id)\ndata: \(Content.line(id, of: request.number))\n\n" }
            let text = "retry: 1\n\n" + events.joined()
            return .data(Data(text.utf8), contentType: "text/event-stream")
        }
    }
}
