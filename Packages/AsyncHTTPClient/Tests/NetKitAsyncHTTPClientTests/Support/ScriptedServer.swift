import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// A server whose connections follow a script: received bytes go in, the bytes to send come out.
final class ScriptedServer: Sendable {
    /// The answer to the bytes that have just arrived.
    struct Reply: Sendable {
        /// Each piece is flushed on its own.
        var pieces: [[UInt8]] = []
        var closes = false
    }

    /// What one connection does with the bytes that arrive on it.
    typealias Script = (ByteBuffer) -> Reply

    private let channel: any Channel
    private let connections = NIOLockedValueBox<[any Channel]>([])
    let port: Int

    /// Starts a server on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - tls: The certificates and protocols of the connections by number, the last for all others; none for plain TCP.
    ///   - makeScript: Makes the script of a connection, whose number counts from 0.
    /// - Throws: Why the server cannot listen.
    init(
        tls: [NIOSSLContext] = [],
        _ makeScript: @escaping @Sendable (_ connection: Int) -> Script
    ) async throws {
        let connections = connections
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let number = connections.withLockedValue { connections in
                    connections.append(channel)
                    return connections.count - 1
                }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let last = tls.last {
                        let tls = number < tls.count ? tls[number] : last
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try pipeline.addHandler(Following(script: makeScript(number)))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit {
        channel.close(promise: nil)
        for connection in connections.withLockedValue({ $0 }) { connection.close(promise: nil) }
    }

    /// How many connections there were.
    var accepted: Int { connections.withLockedValue { $0.count } }

    /// How many connections are open.
    var open: Int { connections.withLockedValue { $0.count { $0.isActive } } }

    private final class Following: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: Script

        init(script: @escaping Script) {
            self.script = script
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let reply = script(unwrapInboundIn(data))
            for piece in reply.pieces {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil)
            }
            if reply.closes { context.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
