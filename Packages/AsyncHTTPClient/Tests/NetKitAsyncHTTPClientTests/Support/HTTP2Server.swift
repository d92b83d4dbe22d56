import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOSSL
import NetKitAsyncHTTPClient

/// A server of HTTP/2 that sends the frames it is told, over TLS.
struct HTTP2Server {
    typealias Answer = @Sendable (_ connection: Int, _ frame: HTTP2Frames.Frame) -> [[UInt8]]

    private let server: ScriptedServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - preface: What it sends first of all on its first connection; an empty SETTINGS frame on others.
    ///   - repeatsPreface: Whether every connection has that preface.
    ///   - closes: Whether it closes a connection after the first answer that is not empty.
    ///   - closesAt: Whether it closes a connection after its answer to a frame that ends a request.
    ///   - answer: What it sends as a frame arrives, each in a write of its own.
    /// - Throws: Why the server cannot listen.
    init(
        preface: [[UInt8]] = [HTTP2Bytes.settings],
        repeatsPreface: Bool = false,
        closes: Bool = false,
        closesAt: @escaping @Sendable (Int, HTTP2Frames.Frame) -> Bool = { _, _ in false },
        _ answer: @escaping Answer
    ) async throws {
        server = try await ScriptedServer(tls: [await Self.tls(["h2"])]) { number in
            var frames = HTTP2Frames()
            var isFirst = true
            return { bytes in
                var reply = ScriptedServer.Reply()
                if isFirst {
                    reply.pieces =
                        number == 0 || repeatsPreface ? preface : [HTTP2Bytes.settings]
                }
                isFirst = false
                for frame in frames.receive(bytes) {
                    let answer = answer(number, frame)
                    reply.pieces += answer
                    reply.closes = reply.closes || closes && !answer.isEmpty
                    reply.closes = reply.closes || frame.endsStream && closesAt(number, frame)
                }
                return reply
            }
        }
    }

    private init(_ server: ScriptedServer) { self.server = server }

    /// A server of both versions.
    ///
    /// - Parameters:
    ///   - beginsOld: Whether its first connection is one of HTTP/1.1. Defaults to false.
    ///   - old: What it sends as bytes of HTTP/1.1 arrive.
    ///   - modern: What it sends as a frame arrives.
    /// - Returns: The server.
    /// - Throws: Why the server cannot listen.
    static func mixed(
        beginsOld: Bool = false,
        old: @escaping @Sendable (String) -> String,
        modern: @escaping @Sendable (HTTP2Frames.Frame) -> [[UInt8]]
    ) async throws -> HTTP2Server {
        let first = try await tls(beginsOld ? ["http/1.1"] : ["h2", "http/1.1"])
        let tls = [first, try await tls(["h2", "http/1.1"])]
        let server = try await ScriptedServer(tls: tls) { _ in
            var frames: HTTP2Frames?
            var isFirst = true
            return { bytes in
                var reply = ScriptedServer.Reply()
                if isFirst, String(buffer: bytes).hasPrefix("PRI ") {
                    frames = HTTP2Frames()
                    reply.pieces = [HTTP2Bytes.settings]
                }
                isFirst = false
                if let found = frames?.receive(bytes) {
                    reply.pieces += found.flatMap { modern($0) }
                } else {
                    reply.pieces = [Array(old(String(buffer: bytes)).utf8)]
                }
                return reply
            }
        }
        return HTTP2Server(server)
    }

    /// The certificate of the tests, with protocols to agree on.
    static func tls(_ protocols: [String]) async throws -> NIOSSLContext {
        let nginx = try await Nginx.shared.value
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(nginx.file("server.pem")))
        let key = try NIOSSLPrivateKey(bytes: Array(nginx.file("server.key")), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    var url: String { "https://localhost:\(server.port)/" }
    var port: Int { server.port }
    var accepted: Int { server.accepted }
    var open: Int { server.open }

    /// A transport that trusts the server's certificate.
    static func transport(
        _ change: (inout AsyncHTTPClientTransport.Configuration) -> Void = { _ in }
    ) async throws -> AsyncHTTPClientTransport {
        var configuration = AsyncHTTPClientTransport.Configuration()
        let authority = try await Nginx.shared.value.file("authority.pem")
        configuration.tls.roots = .only(try Certificates(pem: authority))
        // However long a test is kept from going on by others.
        configuration.idleConnectionLifetime = .seconds(3_600)
        change(&configuration)
        return AsyncHTTPClientTransport(configuration: configuration)
    }

    /// The pin of a key: the server's, or another one.
    static func pin(_ name: String = "server") async throws -> PublicKeyPin {
        let file = try await Nginx.shared.value.file("\(name).pin")
        let text = String(decoding: file, as: UTF8.self)
        return try PublicKeyPin(base64: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// A server whose first connection takes the first of three requests and refuses the others.
    ///
    /// - Parameter processed: Where it notes connection and stream of each request that it takes.
    /// - Returns: The server.
    /// - Throws: Why the server cannot listen.
    static func refusing(
        _ processed: NIOLockedValueBox<[String]>
    ) async throws -> HTTP2Server {
        let ended = NIOLockedValueBox(0)
        return try await HTTP2Server { connection, frame in
            guard frame.endsStream else { return [] }
            let answer = HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true)
            if connection > 0 {
                processed.withLockedValue { $0.append("\(connection):\(frame.stream)") }
                return [answer]
            }
            let count = ended.withLockedValue { count in
                count += 1
                return count
            }
            guard count == 3 else { return [] }
            processed.withLockedValue { $0.append("0:1") }
            let first = HTTP2Bytes.headers(status: "200", stream: 1, ends: true)
            return [HTTP2Bytes.goAway(last: 1) + first]
        }
    }
}
