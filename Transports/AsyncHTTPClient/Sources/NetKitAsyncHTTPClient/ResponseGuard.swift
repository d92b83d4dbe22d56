internal import NIOCore
internal import NIOHTTP1

/// Passes only responses that follow ``ResponseOrder`` to AsyncHTTPClient.
///
/// It sits before AsyncHTTPClient's own handler, on an HTTP/1.1 connection or an HTTP/2 stream.
final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var order = ResponseOrder()
    /// The withheld end of a response, including trailers.
    private var keptEnd: HTTPClientResponsePart?
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
        case .head: order.beginRequest()
        case .body: break
        case .end: order.endRequest()
        }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard order.takesKeptEnd(), let end = keptEnd else { return }
        keptEnd = nil
        context.fireChannelRead(wrapInboundOut(end))
    }

    // MARK: Responses

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch order.receive(ResponseOrder.Part(part)) {
        case .forward: context.fireChannelRead(data)
        case .drop: break
        case .keep: keptEnd = part
        case .forwardEarlyEnd:
            connection?.streamEndsEarly()
            // AsyncHTTPClient has stopped the upload. Without a body part before the end, it would still wait for the
            // whole upload.
            context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
            context.fireChannelRead(data)
            // Otherwise, an HTTP/2 stream would stay open.
            context.close(promise: nil)
        case .refuse(let error): context.fireErrorCaught(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(meaningOfEnd(context) ?? error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let error = meaningOfEnd(context) { context.fireErrorCaught(error) }
        context.fireChannelInactive()
    }

    /// Returns a more precise error for the end of the connection or stream, if any.
    private func meaningOfEnd(_ context: ChannelHandlerContext) -> (any Error)? {
        if let answer = order.fail() { return answer }
        guard order.isWaiting, let connection else { return nil }
        return connection.unprocessedRequest(streamOf: context.channel)
    }
}

extension ResponseOrder.Part {
    init(_ part: HTTPClientResponsePart) {
        self =
            switch part {
            case .head(let head): .head(status: head.status.code)
            case .body(let buffer): .body(bytes: buffer.readableBytes)
            case .end: .end
            }
    }
}
