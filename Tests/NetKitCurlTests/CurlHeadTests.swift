import Foundation
import NetKit
import NetKitTesting
import Testing

@testable import NetKitCurl

@Suite("Heads over libcurl", .timeLimit(.minutes(15)))
struct CurlHeadTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        let path: String
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL, transport: curl(), retryingCount: 0)
        endpoint.timeouts.idle = .seconds(3_600)
    }

    /// libcurl before 8.1 appends such a line to a field of the handle's last transfer, which it has freed.
    @Test("refuses a head that begins with a folded line, also behind other responses")
    func foldedBeginning() async throws {
        let text = "HTTP/1.1 200 OK\r\n X-A: b\r\nContent-Length: 0\r\n\r\n"
        server.route(nil, "/x") { _ in .text("ok").header("X-A", "b") }
        server.route(nil, "/folded") { _ in .raw(Data(text.utf8)) }
        server.route(nil, "/moved") { _ in .redirect(to: "/folded") }
        for path in ["folded", "x", "folded", "moved", "x", "folded", "x"] {
            guard path != "x" else {
                #expect(try await endpoint.value(for: Text(path: path)) == "ok")
                continue
            }
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await endpoint.value(for: Text(path: path))
            }
            guard case .transport(let error)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error.kind == .malformedResponse)
            // libcurl 8.1 and 8.2 refuse the line themselves.
            let isTheirs = (0x08_0100..<0x08_0300).contains(CurlLibrary.shared.version)
            #expect(isTheirs || error.reason?.contains("folded") == true)
        }
    }

    @Test("reads a first field with blanks at any place, however long it is")
    func longBeginning() async throws {
        let value = String(repeating: "a b", count: 20_000)
        let text = "HTTP/1.1 200 OK\r\nX-A: \(value)\r\nContent-Length: 2\r\n\r\nok"
        server.route(nil, "/x") { _ in .raw(Data(text.utf8)) }
        for _ in 0..<2 {
            #expect(try await endpoint.value(for: Text(path: "x")) == "ok")
        }
    }
}
