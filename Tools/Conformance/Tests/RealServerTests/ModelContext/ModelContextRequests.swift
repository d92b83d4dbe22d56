import Foundation
import NetKit
import Synchronization

/// The error of a JSON-RPC response.
struct RPCFailure: ServerError, Decodable {
    struct Problem: Decodable {
        let code: Int
        let message: String
    }

    let error: Problem

    var message: String { error.message }
}

/// A JSON-RPC message from the server: a result, an error or a notification.
struct RPCMessage: Decodable {
    let id: Int?
    let method: String?
    let params: JSONValue?
    let result: JSONValue?
    let error: RPCFailure.Problem?

    init(_ event: ServerSentEvent) throws {
        self = try JSONDecoder().decode(RPCMessage.self, from: Data(event.data.utf8))
    }
}

/// A session with a server, which its requests name.
struct ModelContextSession {
    static let version = "2025-11-25"

    let id: String

    var fields: HTTPHeaders {
        ["Mcp-Session-Id": id, "MCP-Protocol-Version": Self.version]
    }
}

/// A JSON-RPC message to the server, which answers with events.
struct RPCRequest: Request {
    typealias ResponseObjectType = Void
    typealias ErrorType = RPCFailure
    let path = "mcp"
    let method: HTTPMethod = .post
    let body: RequestBody?
    let headers: HTTPHeaders
    /// The number of the message; nil for a notification.
    let id: JSONValue?

    private init(_ message: [String: JSONValue], _ session: ModelContextSession?) {
        var message = message
        id = message["id"]
        message["jsonrpc"] = "2.0"
        body = .json(.object(message))
        var headers = session?.fields ?? [:]
        headers[.accept] = "application/json, text/event-stream"
        self.headers = headers
    }

    static let initialize = RPCRequest(
        [
            "id": 1, "method": "initialize",
            "params": [
                "protocolVersion": .string(ModelContextSession.version), "capabilities": [:],
                "clientInfo": ["name": "NetKit", "version": "1"],
            ],
        ],
        nil
    )

    static func initialized(_ session: ModelContextSession) -> RPCRequest {
        RPCRequest(["method": "notifications/initialized"], session)
    }

    /// The number of the last call, by which the server tells the streams of all sessions apart.
    private static let numbers = Mutex(1)

    /// A call of a tool, whose progress the server reports with the call's number.
    static func call(
        _ tool: String,
        _ arguments: JSONValue,
        in session: ModelContextSession
    ) -> RPCRequest {
        let id = numbers.withLock { number in
            number += 1
            return number
        }
        let number = JSONValue.number(Decimal(id))
        return RPCRequest(
            [
                "id": number, "method": "tools/call",
                "params": [
                    "name": .string(tool), "arguments": arguments,
                    "_meta": ["progressToken": number],
                ],
            ],
            session
        )
    }
}

/// The events of a stream after one of them.
struct ResumeRequest: Request {
    typealias ResponseObjectType = Void
    typealias ErrorType = RPCFailure
    let path = "mcp"
    let headers: HTTPHeaders

    init(after event: String, in session: ModelContextSession) {
        var headers = session.fields
        headers[.accept] = "text/event-stream"
        headers["Last-Event-ID"] = event
        self.headers = headers
    }
}

struct EndSessionRequest: Request {
    typealias ResponseObjectType = Void
    typealias ErrorType = RPCFailure
    let path = "mcp"
    let method: HTTPMethod = .delete
    let headers: HTTPHeaders

    init(_ session: ModelContextSession) {
        headers = session.fields
    }
}

/// The events of sse-starlette, whose lines end with crlf, cr or lf, and some for a connection at most.
struct PlainEventsRequest: Request {
    typealias ResponseObjectType = Void
    let path: String

    init(_ separator: String, most: Int = 100) {
        path = "events/\(separator)?most=\(most)"
    }
}
