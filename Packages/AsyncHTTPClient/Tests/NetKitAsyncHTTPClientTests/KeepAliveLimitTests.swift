import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
@_spi(Transports) import NetKit
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Keep-Alive over AsyncHTTPClient")
struct KeepAliveLimitTests {
    /// A connection, whose clock is advanced by hand.
    private struct Connection {
        let channel = EmbeddedChannel(handler: KeepAliveLimit())

        init() throws {
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        }

        var isOpen: Bool { channel.isActive }

        func send(flushes: Bool = true) {
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.end(nil), promise: nil)
            if flushes { channel.flush() }
        }

        func answer(
            _ keepAlive: String? = nil,
            _ status: HTTPResponseStatus = .ok,
            version: HTTPVersion = .http1_1,
            connection: String? = nil,
            ends: Bool = true
        ) throws {
            var headers: NIOHTTP1.HTTPHeaders = [:]
            if let keepAlive { headers.add(name: "Keep-Alive", value: keepAlive) }
            if let connection { headers.add(name: "Connection", value: connection) }
            let head = HTTPResponseHead(version: version, status: status, headers: headers)
            try channel.writeInbound(HTTPClientResponsePart.head(head))
            if ends { try channel.writeInbound(HTTPClientResponsePart.end(nil)) }
        }

        func advance(milliseconds: Int64) {
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
        }

        /// Whether the connection closes at this time, and not before.
        func closes(after milliseconds: Int64) -> Bool {
            advance(milliseconds: milliseconds - 1)
            guard isOpen else { return false }
            advance(milliseconds: 1)
            return !isOpen
        }
    }

    @Test(
        "has the seconds of the first valid timeout",
        arguments: [
            (["timeout=5"], 5), (["timeout=5, max=100"], 5), (["max=1,Timeout\t= 7"], 7),
            (["timeout=0"], 0), (["timeout=-1"], nil), (["timeout=+1"], nil), (["timeout=x"], nil),
            (["timeout=2.5"], nil), (["max=5"], nil), ([""], nil), (["timeout"], nil),
            (["timeout="], nil), (["timeouts=5"], nil), (["timeout=x, timeout=4"], 4),
            (["max=3", "timeout=6"], 6), (["timeout=5, timeout=9"], 5), ([], nil),
            (["timeout=99999999999999999999"], nil), (["timeout=9223372036854775807"], 1 << 20),
        ]
    )
    func timeout(fields: [String], seconds: Int?) {
        #expect(KeepAliveField.timeout(in: fields) == seconds)
    }

    @Test("closes an idle connection a second before the server does")
    func idle() throws {
        let connection = try Connection()
        connection.send()
        try connection.answer("timeout=5", ends: false)
        // The time counts from the response's end.
        connection.advance(milliseconds: 60_000)
        try connection.channel.writeInbound(HTTPClientResponsePart.end(nil))
        #expect(connection.closes(after: 4_000))
    }

    @Test("closes no connection with a request, and counts anew after it")
    func request() throws {
        let connection = try Connection()
        connection.send()
        try connection.answer("timeout=5")
        connection.advance(milliseconds: 3_999)
        connection.send()
        connection.advance(milliseconds: 60_000)
        #expect(connection.isOpen)
        // What the server has said holds for the connection, also if it isn't repeated.
        try connection.answer()
        #expect(connection.closes(after: 4_000))
    }

    @Test("closes no connection whose last request isn't written yet, despite its response")
    func unwritten() throws {
        let connection = try Connection()
        connection.send(flushes: false)
        try connection.answer("timeout=5")
        connection.advance(milliseconds: 60_000)
        #expect(connection.isOpen)
        connection.channel.flush()
        #expect(connection.closes(after: 4_000))
    }

    @Test("closes at once where no second is left", arguments: ["timeout=0", "timeout=1"])
    func short(field: String) throws {
        let connection = try Connection()
        connection.send()
        try connection.answer(field)
        // Not within the call that passes the response on, which may begin another request.
        #expect(connection.isOpen)
        connection.send()
        connection.advance(milliseconds: 60_000)
        #expect(connection.isOpen)
        try connection.answer()
        connection.advance(milliseconds: 0)
        #expect(!connection.isOpen)
    }

    @Test("obeys final responses alone, and none that ends its connection")
    func others() throws {
        let plain = try Connection()
        plain.send()
        try plain.answer("timeout=5", .continue, ends: false)
        try plain.answer("max=9")
        plain.advance(milliseconds: 60_000)
        #expect(plain.isOpen)
        // AsyncHTTPClient closes them.
        let closing = try Connection()
        closing.send()
        try closing.answer("timeout=5", connection: "close")
        let old = try Connection()
        old.send()
        try old.answer("timeout=5", version: .http1_0)
        for connection in [closing, old] {
            connection.advance(milliseconds: 60_000)
            #expect(connection.isOpen)
        }
    }

    @Test("leaves no timer behind on a closed connection")
    func closed() throws {
        let connection = try Connection()
        connection.send()
        try connection.answer("timeout=5")
        weak var handler: KeepAliveLimit?
        handler = try connection.channel.pipeline.syncOperations.handler(type: KeepAliveLimit.self)
        #expect(handler != nil)
        connection.channel.close(promise: nil)
        connection.channel.embeddedEventLoop.run()
        #expect(handler == nil)
    }
}

@Suite("Keep-Alive of a server over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct KeepAliveServerTests {
    /// A server that says of each connection that it closes it a second later.
    private static func server(isSecure: Bool) async throws -> ScriptedServer {
        let answer = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok"
        let tls = isSecure ? [try await HTTP2Server.tls(["http/1.1"])] : []
        return try await ScriptedServer(tls: tls) { _ in
            { _ in .init(pieces: [Array(answer.utf8)]) }
        }
    }

    private static func url(of server: ScriptedServer, isSecure: Bool) -> String {
        "\(isSecure ? "https" : "http")://localhost:\(server.port)/"
    }

    @Test("closes the connection after a response", arguments: [false, true])
    func closes(isSecure: Bool) async throws {
        let server = try await Self.server(isSecure: isSecure)
        let transport = try await HTTP2Server.transport()
        for count in 1...3 {
            let url = Self.url(of: server, isSecure: isSecure)
            let (recorder, exchange) = send(url, .post, over: transport)
            #expect(await recorder.finished() == .whole)
            await eventually { server.open == 0 }
            #expect(server.accepted == count)
            withExtendedLifetime(exchange) {}
        }
        await transport.shutdown()
    }

    @Test(
        "sends a POST that got the connection as it was closed on another",
        arguments: [false, true]
    )
    func race(isSecure: Bool) async throws {
        let server = try await Self.server(isSecure: isSecure)
        let transport = try await HTTP2Server.transport()
        let url = Self.url(of: server, isSecure: isSecure)
        let second = NIOLockedValueBox<(Recorder, any TransportExchange)?>(nil)
        let recorder = Recorder { event in
            guard case .finished = event else { return }
            // The event loop waits here, for another thread to give the connection to the next request. It then does the task,
            // closes the connection, and begins the request.
            MultiThreadedEventLoopGroup.currentEventLoop?.execute {}
            let isSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let sent = send(url, .post, over: transport)
                second.withLockedValue { $0 = sent }
                isSent.signal()
            }
            isSent.wait()
        }
        let address = try #require(URL(string: url))
        let first = transport.send(EncodedRequest(url: address, method: .post), to: recorder)
        #expect(await recorder.finished() == .whole)
        let (other, exchange) = try #require(second.withLockedValue { $0 })
        #expect(await other.finished() == .whole)
        #expect(server.accepted == 2)
        withExtendedLifetime((first, exchange)) {}
        await transport.shutdown()
    }
}
