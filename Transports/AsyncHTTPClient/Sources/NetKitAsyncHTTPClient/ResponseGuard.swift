internal import NIOCore
internal import NIOHTTP1

/// Lets AsyncHTTPClient see responses alone that keep to ``ResponseOrder``.
///
/// It stands before AsyncHTTPClient's own handler, on a connection of HTTP/1.1 or a stream of HTTP/2.
final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var order = ResponseOrder()
    /// The kept end of a response, trailers and all.
    private var keptEnd: HTTPClientResponsePart?
    /// The connection of HTTP/2 that the stream is part of.
    private let connection: HTTP2ConnectionGuard?

    /// Makes a guard.
    ///
    /// - Parameter connection: What is known of the stream's connection; nil for HTTP/1.1.
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
            // AsyncHTTPClient has stopped the upload. Without a piece of the body together with the end it
            // waits all the same until the upload is whole.
            context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
            context.fireChannelRead(data)
            // A stream of HTTP/2 would stay open.
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

    /// What the end of the connection or stream means for the request; nil if nothing is known.
    private func meaningOfEnd(_ context: ChannelHandlerContext) -> (any Error)? {
        if let answer = order.fail() { return answer }
        guard order.isWaiting, let connection else { return nil }
        return connection.hasNotProcessed(streamOf: context.channel) ? UnprocessedRequest() : nil
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
