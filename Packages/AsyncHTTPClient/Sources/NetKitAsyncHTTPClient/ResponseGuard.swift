internal import NIOCore
internal import NIOHTTP1

/// Passes only responses that follow ``ResponseOrder`` to AsyncHTTPClient.
///
/// It sits before AsyncHTTPClient's own handler, on an HTTP/1.1 connection or an HTTP/2 stream. It joins the small parts of
/// a body that arrive together. For each part, AsyncHTTPClient 1.37 copies the list of those before it, so that tens of
/// thousands of HTTP/2 frames of one byte would keep its event loop busy for many seconds.
final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The size from which a part of a body isn't joined with others, in bytes.
    private static let smallPart = 1 << 10
    /// The maximum size of joined parts, in bytes.
    private static let maximumJoined = 16 << 10

    private var order = ResponseOrder()
    /// The withheld end of a response, including trailers.
    private var keptEnd: HTTPClientResponsePart?
    /// Small parts of the body that were read together.
    private var joined: ByteBuffer?
    /// The stream's HTTP/2 connection.
    private let connection: HTTP2ConnectionGuard?

    /// Creates a guard.
    ///
    /// - Parameter connection: The guard of the stream's connection. Defaults to nil for HTTP/1.1.
    init(streamOf connection: HTTP2ConnectionGuard? = nil) {
        self.connection = connection
    }

    // MARK: Requests

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): order.beginRequest(isHead: head.method == .HEAD)
        case .body: break
        case .end: order.endRequest()
        }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard order.takesKeptEnd(), let end = keptEnd else { return }
        keptEnd = nil
        passJoined(context)
        context.fireChannelRead(wrapInboundOut(end))
    }

    // MARK: Responses

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch order.receive(ResponseOrder.Part(part)) {
        case .forward: forward(part, data, context)
        case .drop: break
        case .keep: keptEnd = part
        case .forwardEarlyEnd:
            passJoined(context)
            // AsyncHTTPClient has stopped the upload. Without a body part before the end, it would still wait for the
            // whole upload.
            context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
            context.fireChannelRead(data)
            // Otherwise, an HTTP/2 stream would stay open.
            context.close(promise: nil)
        case .refuse(let error):
            passJoined(context)
            context.fireErrorCaught(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        passJoined(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passJoined(context)
        context.fireErrorCaught(meaningOfEnd(context, after: error) ?? error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passJoined(context)
        if let error = meaningOfEnd(context) { context.fireErrorCaught(error) }
        context.fireChannelInactive()
    }

    private func forward(
        _ part: HTTPClientResponsePart,
        _ data: NIOAny,
        _ context: ChannelHandlerContext
    ) {
        if case .body(let bytes) = part, bytes.readableBytes < Self.smallPart {
            let size = joined?.readableBytes ?? 0
            if size + bytes.readableBytes > Self.maximumJoined { passJoined(context) }
            if joined == nil { joined = bytes } else { joined?.writeImmutableBuffer(bytes) }
        } else {
            passJoined(context)
            context.fireChannelRead(data)
        }
    }

    private func passJoined(_ context: ChannelHandlerContext) {
        guard let bytes = joined else { return }
        joined = nil
        context.fireChannelRead(wrapInboundOut(.body(bytes)))
    }

    /// Returns a more precise error for the end of the connection or stream, if any.
    private func meaningOfEnd(
        _ context: ChannelHandlerContext,
        after error: (any Error)? = nil
    ) -> (any Error)? {
        if let answer = order.fail() { return answer }
        guard order.isWaiting, let connection else { return nil }
        return connection.unprocessedRequest(streamOf: context.channel, after: error)
    }
}

extension ResponseOrder.Part {
    init(_ part: HTTPClientResponsePart) {
        self =
            switch part {
            case .head(let head): .head(status: head.status.code, coding: head.unreadCoding)
            case .body(let buffer): .body(bytes: buffer.readableBytes)
            case .end: .end
            }
    }
}

extension HTTPResponseHead {
    /// The transfer coding (RFC 9112, section 7) that SwiftNIO doesn't decode; nil for `chunked` alone or none.
    ///
    /// SwiftNIO decodes `chunked` alone, without a tab behind it, and would take anything else for the body itself. HTTP/2
    /// has no transfer codings.
    fileprivate var unreadCoding: String? {
        let fields = version.major < 2 ? headers["Transfer-Encoding"] : []
        guard !fields.isEmpty else { return nil }
        let coding = fields.joined(separator: ", ")
        let end = coding.lastIndex { $0 != " " }.map(coding.index(after:)) ?? coding.startIndex
        return coding[..<end].lowercased() == "chunked" ? nil : coding
    }
}
