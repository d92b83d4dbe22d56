internal import NIOCore
internal import NIOSSL

/// Closes an HTTP/2 connection after a connection error (RFC 9113, section 5.4.1).
///
/// SwiftNIO sends GOAWAY only in this case. AsyncHTTPClient would keep the dead connection for later requests. This
/// handler sits below SwiftNIO's, where frames are bytes.
final class HTTP2ErrorClosing: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private static let headerSize = 9
    private static let goAway: UInt8 = 7
    /// The remaining number of bytes of the current frame.
    private var remaining = 0
    private var header: [UInt8] = []
    private var isClosing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data), hasGoAway(buffer), !isClosing {
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

    /// Returns whether a GOAWAY frame begins in the next bytes.
    private func hasGoAway(_ bytes: ByteBuffer) -> Bool {
        var bytes = bytes
        var found = false
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
            found = found || header[3] == Self.goAway
            header.removeAll(keepingCapacity: true)
        }
        return found
    }
}
