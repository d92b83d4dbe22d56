import Foundation
import Logging
import NetKit
import NetKitAsyncHTTPClient
import NetKitLogging
import NetKitTesting

/// The JSON body of the request and the response.
struct Number: Codable, Sendable {
    let value: Int
}

struct DoubleRequest: Request {
    typealias ResponseObjectType = Number
    let path = "double"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(_ number: Number) { body = .encodable(number) }
}

/// Sends a request over each transport to a server on the loopback interface.
///
/// Exits with 1 unless the server received the request, the value is correct, and swift-log logged the call.
@main
struct Installed {
    static func main() async {
        do {
            let server = try MockServer()
            defer { server.stop() }
            server.route("POST", "/double") { request in
                try .json(Number(value: 2 * request.json(as: Number.self).value))
            }
            try await check("URLSession", Endpoint(baseURL: server.baseURL), server)
            let transport = AsyncHTTPClientTransport()
            let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
            try await check("AsyncHTTPClient", endpoint, server)
            await transport.shutdown()
        } catch {
            print("FAILED: \(error)")
            exit(1)
        }
    }

    private static func check(
        _ engine: String,
        _ endpoint: Endpoint,
        _ server: MockServer
    ) async throws {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        endpoint.logger = SwiftLogLogger(
            Logger(label: "installed") { _ in LineHandler(lines: sink) }
        )
        let number = Int.random(in: 1...1_000_000)
        let earlier = server.requests.count

        let answer = try await endpoint.value(for: DoubleRequest(Number(value: number)))

        sink.finish()
        let logged = await lines.reduce(into: [String]()) { $0.append($1) }
        let received = server.requests.dropFirst(earlier)
        guard answer.value == 2 * number else {
            throw Unexpected(description: "\(engine): twice \(number) was \(answer.value)")
        }
        guard received.map(\.text) == [#"{"value":\#(number)}"#] else {
            throw Unexpected(description: "\(engine): the server received \(received)")
        }
        guard logged.count == 1, logged.allSatisfy({ $0.contains("200 OK") }) else {
            throw Unexpected(description: "\(engine): logged \(logged)")
        }
        let agent = received.first?.header("User-Agent") ?? "none"
        print(
            "passed: twice \(number) is \(answer.value) over \(engine), User-Agent: \(agent)"
        )
    }
}

/// A failed check.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Sends swift-log's lines to a stream.
struct LineHandler: LogHandler {
    let lines: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.yield("\(event.message)")
    }
}
