internal import NIOCore
internal import NIOHTTP1

/// Puts the origin in front of the target of each request: what a proxy is sent (RFC 9112, section 3.2.2).
///
/// AsyncHTTPClient writes path and query alone. A request names its origin in a field, which is taken off here.
final class AbsoluteForm: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The field that names the origin.
    static let field = "NetKit-Origin"

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data),
            let origin = head.headers.last(where: { $0.name == Self.field })?.value
        else {
            context.write(data, promise: promise)
            return
        }
        head.headers.remove(name: Self.field)
        head.uri = origin + head.uri
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
