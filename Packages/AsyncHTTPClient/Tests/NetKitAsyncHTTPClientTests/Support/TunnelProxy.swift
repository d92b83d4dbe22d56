import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A proxy that opens a tunnel to one port of 127.0.0.1, whatever the client asks for.
final class TunnelProxy: Sendable {
    private let channel: any Channel
    private let count: NIOLockedValueBox<Int>
    let port: Int

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - port: Where the tunnels lead.
    ///   - note: Receives the head of each CONNECT.
    /// - Throws: Why the proxy cannot listen.
    init(port: Int, note: @escaping @Sendable (String) -> Void) async throws {
        let count = NIOLockedValueBox(0)
        self.count = count
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                count.withLockedValue { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Opening(port, note))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    var accepted: Int { count.withLockedValue { $0 } }

    /// Reads the head, connects, and copies from then on.
    private final class Opening: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let port: Int
        private let note: @Sendable (String) -> Void
        private var head = ByteBuffer()
        private var origin: (any Channel)?

        init(_ port: Int, _ note: @escaping @Sendable (String) -> Void) {
            (self.port, self.note) = (port, note)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if let origin { return origin.writeAndFlush(bytes, promise: nil) }
            head.writeImmutableBuffer(bytes)
            let text = String(buffer: head)
            guard text.hasSuffix("\r\n\r\n") else { return }
            note(text)
            let client = context.channel
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Copying(client))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .whenComplete { result in
                    guard case .success(let origin) = result else {
                        return client.close(promise: nil)
                    }
                    bound.value.origin = origin
                    let answer = ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n")
                    client.writeAndFlush(answer, promise: nil)
                }
        }

        func channelInactive(context: ChannelHandlerContext) { origin?.close(promise: nil) }
    }

    /// Copies what an origin says to the client.
    private final class Copying: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let client: any Channel

        init(_ client: any Channel) { self.client = client }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
    }
}
