import Foundation
import NetKit
import NetKitTesting

/// What a demonstration works with: an endpoint, the server behind it, and words for what happens.
final class Context {
    /// Where the requests go.
    let endpoint: Endpoint
    /// The server behind the endpoint; nil if `--base-url` named another one.
    let server: MockServer?
    private var wires: [WireView] = []
    private var hasAsked = false

    /// Works with a server of our own.
    init(server: MockServer, engine: Engine) {
        self.server = server
        endpoint = engine.endpoint(server.baseURL)
        watch(server)
    }

    /// Works with any server.
    init(baseURL: URL, engine: Engine) {
        server = nil
        endpoint = engine.endpoint(baseURL)
    }

    /// The server, for a demonstration that cannot do without.
    func ownServer() throws -> MockServer {
        guard let server else { throw Misbehaviour("it needs its own server") }
        return server
    }

    /// What arrived last at our own server.
    func lastRequest() throws -> RecordedRequest {
        guard let request = try ownServer().requests.last else {
            throw Misbehaviour("nothing arrived")
        }
        return request
    }

    /// Waits until so many requests have arrived; against another server, until they should have.
    func waitUntilSent(_ count: Int) async throws {
        if let server {
            _ = try await server.waitForRequests(count)
        } else {
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Shows what arrives at this server, too.
    func watch(_ server: MockServer, as name: String? = nil) {
        wires.append(WireView(server: server, name: name))
    }
}

// MARK: - Saying what happens

extension Context {
    /// Prints what is about to be asked, as code.
    func asked(_ code: String) {
        if hasAsked { print() }
        hasAsked = true
        Layout.show("asked", code)
    }

    /// Prints what went over the wire since the last time, then what the caller got.
    func cameBack(_ result: String) {
        showWire()
        Layout.show("came back", result)
    }

    /// Prints what the servers received since the last time.
    func showWire() {
        for index in wires.indices {
            for request in wires[index].news() { Layout.show("wire", request) }
        }
    }

    /// Prints a rule that was kept, or ends the demonstration with it.
    func expect(_ isKept: Bool, _ rule: String) throws {
        guard isKept else { throw Misbehaviour("this does not hold: \(rule)") }
        Layout.show("ok", rule)
    }
}

/// Why a demonstration did not go as it should.
struct Misbehaviour: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
