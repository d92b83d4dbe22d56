import Foundation
import NetKit
import NetKitTesting

/// The endpoint and server of a demonstration, and its output.
final class Context {
    /// The endpoint for the requests.
    let endpoint: Endpoint
    /// The server behind the endpoint, or nil with `--base-url`.
    let server: MockServer?
    private var wires: [WireView] = []
    private var hasAsked = false

    /// Creates a context with its own server.
    init(server: MockServer, engine: Engine) {
        self.server = server
        endpoint = engine.endpoint(server.baseURL)
        watch(server)
    }

    /// Creates a context for any server.
    init(baseURL: URL, engine: Engine) {
        server = nil
        endpoint = engine.endpoint(baseURL)
    }

    /// Returns the server of a demonstration that requires one.
    func ownServer() throws -> MockServer {
        guard let server else { throw DemonstrationError("needs its own server") }
        return server
    }

    /// Returns the last request that the server received.
    func lastRequest() throws -> RecordedRequest {
        guard let request = try ownServer().requests.last else {
            throw DemonstrationError("the server received no request")
        }
        return request
    }

    /// Waits until the server has received `count` requests, or 300 ms for another server.
    func waitUntilSent(_ count: Int) async throws {
        if let server {
            _ = try await server.waitForRequests(count)
        } else {
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Prints the requests of another server as well.
    func watch(_ server: MockServer, as name: String? = nil) {
        wires.append(WireView(server: server, name: name))
    }
}

// MARK: - Output

extension Context {
    /// Prints a call as code, before it is made.
    func asked(_ code: String) {
        if hasAsked { print() }
        hasAsked = true
        Layout.show("call", code)
    }

    /// Prints the new requests on the wire, then the result of the call.
    func cameBack(_ result: String) {
        showWire()
        Layout.show("result", result)
    }

    /// Prints the requests that the servers have received since the last time.
    func showWire() {
        for index in wires.indices {
            for request in wires[index].news() { Layout.show("wire", request) }
        }
    }

    /// Prints a rule that holds, or fails the demonstration with it.
    func expect(_ isKept: Bool, _ rule: String) throws {
        guard isKept else { throw DemonstrationError("expected: \(rule)") }
        Layout.show("ok", rule)
    }
}

/// The reason a demonstration failed.
struct DemonstrationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
