import Foundation
import NetKitTesting
import Testing

@Suite("Mock server", .timeLimit(.minutes(1)))
struct MockServerTests {
    @Test("answers a route and keeps the connection")
    func keepAlive() throws {
        let server = try MockServer()
        server.route("GET", "/a") { _ in .text("A") }
        let client = try RawClient(port: server.port)
        for index in 0..<3 {
            client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = client.readText(until: "\r\n\r\nA")
            #expect(
                answer == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                    + "Content-Length: 1\r\n\r\nA"
            )
            #expect(server.requests.last?.indexOnConnection == index)
            #expect(server.requests.last?.connectionID == 1)
        }
        #expect(server.acceptedConnections == 1)
    }
}
