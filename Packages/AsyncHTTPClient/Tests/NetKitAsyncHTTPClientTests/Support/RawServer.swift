import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server on any address that answers each connection with what it is told, byte for byte.
///
/// It is for what `MockServer` does not do: IPv6, trailers, and not reading.
final class RawServer: Sendable {
    /// How a connection is answered.
    struct Script: Sendable {
        /// What is written when the first bytes have come.
        var answer: [String] = []
        /// What is written when more have come, once.
        var secondAnswer: String?
        /// Whether the connection is closed after that.
        var closesAtSecond = false
        /// How long between the pieces of the answer.
        var pause = TimeAmount.milliseconds(0)
        /// Whether more than the first bytes is read.
        var reads = true
        /// Whether the connection is closed after the answer.
        var closes = false
    }

    private let channel: any Channel
    private let connections = NIOLockedValueBox<[any Channel]>([])
    private let received = NIOLockedValueBox<[String]>([])
    let port: Int

    init(host: String = "127.0.0.1", _ script: Script = Script()) async throws {
        let connections = connections
        let received = received
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.autoRead, value: script.reads)
            .childChannelInitializer { channel in
                connections.withLockedValue { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Answering(script: script, received: received)
                    )
                }
            }
            .bind(host: host, port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit {
        channel.close(promise: nil)
        for connection in connections.withLockedValue({ $0 }) { connection.close(promise: nil) }
    }

    /// How many connections were made.
    var accepted: Int { connections.withLockedValue { $0.count } }
    /// What came, in the pieces in which it did.
    var requests: [String] { received.withLockedValue { $0 } }

    /// Reads from now on.
    func startReading() {
        for connection in connections.withLockedValue({ $0 }) {
            connection.setOption(ChannelOptions.autoRead, value: true)
                .whenSuccess { connection.read() }
        }
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: Script
        private let received: NIOLockedValueBox<[String]>
        private var hasAnswered = false

        init(script: Script, received: NIOLockedValueBox<[String]>) {
            self.script = script
            self.received = received
        }

        func channelActive(context: ChannelHandlerContext) {
            // The first bytes alone: an answer that is there before a request belongs to none.
            if !script.reads { context.read() }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            received.withLockedValue { if $0.count < 100 { $0.append(text) } }
            if hasAnswered, let answer = script.secondAnswer {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
                if script.closesAtSecond { context.close(promise: nil) }
            }
            answer(context)
        }

        private func answer(_ context: ChannelHandlerContext) {
            guard !hasAnswered else { return }
            hasAnswered = true
            let channel = context.channel
            for (index, piece) in script.answer.enumerated() {
                let isLast = index == script.answer.count - 1
                let delay = TimeAmount.nanoseconds(script.pause.nanoseconds * Int64(index))
                let closes = script.closes && isLast
                context.eventLoop.scheduleTask(in: delay) {
                    channel.writeAndFlush(ByteBuffer(string: piece), promise: nil)
                    if closes { channel.close(promise: nil) }
                }
            }
        }
    }
}
