internal import NIOCore
internal import NIOSSL

/// Reads what SwiftNIO doesn't tell of the frames of an HTTP/2 connection.
///
/// It closes the connection after a connection error (RFC 9113, section 5.4.1): SwiftNIO sends GOAWAY only in this case, and
/// AsyncHTTPClient would keep the dead connection for later requests. It counts the streams that the server resets, also
/// those that have ended: SwiftNIO counts them, too, but reports only the others. This handler sits below SwiftNIO's, where
/// frames are bytes.
final class HTTP2FrameBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let connection: HTTP2ConnectionGuard
    private var received = FrameTypes()
    private var sent = FrameTypes()
    private var isClosing = false

    init(of connection: HTTP2ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let resets = received.count(of: FrameTypes.reset, in: unwrapInboundIn(data))
        for _ in 0..<resets { connection.noteReset() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data), !isClosing,
            sent.count(of: FrameTypes.goAway, in: buffer) > 0
        {
            isClosing = true
            let channel = context.channel
            // Closes after the frame is sent. A TLS shutdown would wait for the server.
            context.eventLoop.execute {
                let pipeline = channel.pipeline.syncOperations
                let tls = try? pipeline.context(handlerType: NIOSSLClientHandler.self)
                if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
            }
        }
        context.write(data, promise: promise)
    }
}

/// Finds the types of the frames in a direction of an HTTP/2 connection (RFC 9113, section 4.1).
private struct FrameTypes {
    static let reset: UInt8 = 3
    static let goAway: UInt8 = 7

    private static let headerSize = 9
    /// The remaining number of bytes of the current frame.
    private var remaining = 0
    private var header: [UInt8] = []

    /// Returns the number of frames of a type that begin in the next bytes.
    mutating func count(of type: UInt8, in bytes: ByteBuffer) -> Int {
        var bytes = bytes
        var found = 0
        while bytes.readableBytes > 0 {
            if remaining > 0 {
                let count = min(remaining, bytes.readableBytes)
                bytes.moveReaderIndex(forwardBy: count)
                remaining -= count
                continue
            }
            let missing = min(Self.headerSize - header.count, bytes.readableBytes)
            header += bytes.readBytes(length: missing) ?? []
            guard header.count == Self.headerSize else { break }
            remaining = header[..<3].reduce(0) { $0 << 8 | Int($1) }
            if header[3] == type { found += 1 }
            header.removeAll(keepingCapacity: true)
        }
        return found
    }
}
