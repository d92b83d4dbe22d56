import Foundation
import NetKit

/// NetKit's streams, their elements walked through with `for try await`.
struct NetKitStreamClient: StreamReading {
    private let endpoint: Endpoint

    init(baseURL: URL, _ engine: NetKitEngine) {
        endpoint = engine.endpoint(baseURL)
    }

    func read(_ content: StreamContent, count: Int) async throws -> Int {
        let text = content.text
        let stream = try await endpoint.stream(StreamRequest(path: content.path(count)))
        return switch content {
        case .lines:
            try await walk(stream.lines) { $0 == text }
        case .jsonLines:
            try await walk(stream.jsonLines(of: StreamContent.Record.self)) { $0 == .sample }
        case .events:
            try await walk(stream.serverSentEvents) {
                $0.event == "update" && $0.data == text
            }
        }
    }

    private func walk<Element>(
        _ elements: ResponseElements<Element>,
        isRight: (Element) -> Bool
    ) async throws -> Int {
        var count = 0
        for try await element in elements {
            guard isRight(element) else { throw WrongAnswer.value }
            count += 1
        }
        return count
    }
}

private struct StreamRequest: Request {
    typealias ResponseObjectType = Void

    let path: String
}
