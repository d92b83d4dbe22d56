import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A fast HTTP/1.1 server on 127.0.0.1 with one thread, to leave the other cores to the client.
struct BenchmarkServer {
    private static let receiving = AdaptiveRecvByteBufferAllocator(
        minimum: 64,
        initial: 2048,
        maximum: 1 << 18
    )
    private static let sending = ChannelOptions.Types.WriteBufferWaterMark(
        low: 1 << 19,
        high: 1 << 20
    )

    private let channel: any Channel

    /// The port the system chose.
    let port: Int

    /// Starts to listen.
    ///
    /// - Parameter gate: What holds answers to paths below `held/` back.
    /// - Returns: The server.
    /// - Throws: When no socket can be bound.
    static func start(gate: Gate) async throws -> BenchmarkServer {
        let answers = try Answers()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.oneThread)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Large transfers are not to wait for the server: it reads and writes big pieces.
            .childChannelOption(.recvAllocator, value: receiving)
            .childChannelOption(.writeBufferWaterMark, value: sending)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(
                        withPipeliningAssistance: false,
                        withErrorHandling: true,
                        withOutboundHeaderValidation: false
                    )
                    try pipeline.addHandler(AnswerHandler(answers, gate))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return BenchmarkServer(channel: channel, port: port)
    }

    /// Waits until the server listens no more.
    func closed() async throws {
        try await channel.closeFuture.get()
    }
}

extension MultiThreadedEventLoopGroup {
    fileprivate static let oneThread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
