import Foundation
import NetKit
import NetKitSupport

/// What proxies of the tests saw.
final class ProxyLog: Sendable {
    private let lines = Locked<[String]>([])

    /// Heads of requests, or commands of SOCKS with their hosts.
    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }
}

extension ScriptedServer {
    /// A proxy of HTTP (RFC 9110, section 3.7): it opens tunnels to a port, and answers all else by itself.
    ///
    /// - Parameters:
    ///   - log: Where it notes the heads.
    ///   - answer: Its answer to CONNECT instead of a tunnel.
    ///   - port: The port of 127.0.0.1 that tunnels lead to, whatever the client asks for.
    /// - Returns: The server.
    /// - Throws: The system's error.
    static func httpProxy(
        _ log: ProxyLog,
        answer: String? = nil,
        port: Int = 0
    ) throws -> ScriptedServer {
        try ScriptedServer { peer in
            while let request = peer.readRequest() {
                log.note(request.head)
                if request.head.hasPrefix("CONNECT ") {
                    if let answer {
                        peer.write(answer)
                        continue
                    }
                    guard let origin = Peer.connecting(to: port) else { return }
                    peer.write("HTTP/1.1 200 Connected\r\nX-Of-Proxy: 1\r\n\r\n")
                    return peer.relay(to: origin)
                }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
            }
        }
    }

    /// A proxy of SOCKS 5 (RFC 1928, RFC 1929).
    ///
    /// - Parameters:
    ///   - log: Where it notes the credentials and the destinations.
    ///   - credentials: The user name and password that it wants; nil for none.
    ///   - reply: The reply to a command; 0 connects to the destination's port on 127.0.0.1.
    /// - Returns: The server.
    /// - Throws: The system's error.
    static func socksProxy(
        _ log: ProxyLog,
        credentials: String? = nil,
        reply: UInt8 = 0
    ) throws -> ScriptedServer {
        try ScriptedServer { peer in
            let greeting = peer.readBytes(2)
            guard greeting.count == 2 else { return }
            let methods = peer.readBytes(Int(greeting[1]))
            let method: UInt8 = credentials == nil ? 0 : 2
            guard methods.contains(method) else {
                peer.write([5, 0xFF])
                return
            }
            peer.write([5, method])
            if let credentials {
                let found = [0, 1]
                    .map { index in
                        let count = peer.readBytes(index == 0 ? 2 : 1).last ?? 0
                        return String(decoding: peer.readBytes(Int(count)), as: UTF8.self)
                    }
                log.note(found.joined(separator: ":"))
                let isRight = found.joined(separator: ":") == credentials
                peer.write([1, isRight ? 0 : 1])
                guard isRight else { return }
            }
            let command = peer.readBytes(4)
            guard command.count == 4 else { return }
            let host: String
            switch command[3] {
            case 1: host = peer.readBytes(4).map { "\($0)" }.joined(separator: ".")
            case 3:
                let count = peer.readBytes(1).first ?? 0
                host = String(decoding: peer.readBytes(Int(count)), as: UTF8.self)
            default:
                host =
                    "[\(peer.readBytes(16).map { String($0, radix: 16) }.joined(separator: " "))]"
            }
            let port = peer.readBytes(2).reduce(0) { $0 << 8 | Int($1) }
            log.note(host)
            peer.write([5, reply, 0, 1, 127, 0, 0, 1, 0, 0])
            guard reply == 0, let origin = Peer.connecting(to: port) else { return }
            peer.relay(to: origin)
        }
    }
}
