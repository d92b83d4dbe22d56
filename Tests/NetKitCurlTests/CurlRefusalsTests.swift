import Testing

@testable import NetKitCurl

@Suite("Refused requests of HTTP/2")
struct CurlRefusalsTests {
    @Test(
        "are read from the log of each version of libcurl, and nothing else is",
        arguments: [
            ("REFUSED_STREAM, retrying a fresh connect\n", CurlRefusals.Line.refused),
            ("Using Stream ID: 13 (easy handle 0x55)\n", .stream(13)),
            ("[HTTP/2] [13] OPENED stream for https://localhost/\n", .stream(13)),
            ("recveived GOAWAY, error=0, last_stream=7\n", .goAway(last: 7)),
            ("received GOAWAY, error=0, last_stream=7\n", .goAway(last: 7)),
            ("Downgrades to HTTP/1.1\n", .downgrade), ("Downloads\n", nil),
            ("Connection: close\n", nil), ("Connected to h\n", nil),
            ("[HTTP/2] [13] [:path: /]\n", nil), ("Using HTTP2\n", nil), ("", nil),
            ("Using Stream ID: x\n", nil), ("Using Stream ID: 99999999999999999999\n", nil),
            ("received GOAWAY\n", nil),
        ]
    )
    func lines(text: String, line: CurlRefusals.Line?) {
        var text = text
        #expect(text.withUTF8 { CurlRefusals.Line(UnsafeRawBufferPointer($0)) } == line)
    }

    private func connection(_ port: Int32, to host: String) throws -> CurlRefusals.Connection {
        let connection = "127.0.0.1"
            .withCString { local in
                host.withCString { CurlRefusals.Connection(local, port, $0, 443) }
            }
        return try #require(connection)
    }

    @Test("are unknown of a connection to a unix socket, whose ends are those of all others")
    func unixSocket() {
        "/run/x.sock".withCString { #expect(CurlRefusals.Connection("", 0, $0, 0) == nil) }
    }

    @Test("are those after the last stream of their own connection, or without a stream")
    func streams() throws {
        let refusals = CurlRefusals()
        let ours = try connection(1, to: "127.0.0.2")
        let other = try connection(1, to: "127.0.0.3")
        // Nothing is known of a connection whose streams the log doesn't tell.
        refusals.end(ours, after: 1)
        #expect(!refusals.contain(3, on: ours) && !refusals.contain(0, on: ours))
        refusals.noteStream(on: ours)
        #expect(!refusals.contain(3, on: ours) && refusals.contain(0, on: ours))
        refusals.end(ours, after: 5)
        refusals.end(ours, after: 1)
        #expect(refusals.contain(3, on: ours) && !refusals.contain(1, on: ours))
        #expect(!refusals.contain(3, on: other))
        refusals.begin(ours)
        #expect(!refusals.contain(3, on: ours))
    }

    @Test("tell a connection that processed nothing from one that processed other requests")
    func others() throws {
        let refusals = CurlRefusals()
        let ours = try connection(1, to: "127.0.0.2")
        #expect(!refusals.hasProcessedOthers(on: ours))
        refusals.noteStream(on: ours)
        #expect(!refusals.hasProcessedOthers(on: ours))
        // Servers first announce their end with the largest number (RFC 9113, section 6.8).
        refusals.end(ours, after: 0x7FFF_FFFF)
        #expect(!refusals.hasProcessedOthers(on: ours))
        refusals.end(ours, after: 3)
        #expect(refusals.hasProcessedOthers(on: ours))
        refusals.end(ours, after: 0)
        #expect(!refusals.hasProcessedOthers(on: ours))
    }

    @Test("are remembered for a bounded number of connections")
    func bound() throws {
        let refusals = CurlRefusals()
        let connections = try (1...3_000).map { try connection($0, to: "127.0.0.2") }
        for connection in connections { refusals.noteStream(on: connection) }
        let known = connections.count { refusals.contain(0, on: $0) }
        #expect(known == 1_000)
    }
}
