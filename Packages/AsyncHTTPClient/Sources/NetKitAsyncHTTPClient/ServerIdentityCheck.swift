internal import NIOCore
internal import NIOHTTP1

/// Sends requests only to hosts that the server's certificate names.
///
/// AsyncHTTPClient doesn't report the host of a connection. A request therefore carries it in a header field, which
/// this handler removes.
final class ServerIdentityCheck: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The header field with the host.
    static let field = "NetKit-Connection-Host"

    private let identity: ServerIdentity
    /// The last host checked, which is usually also the next one.
    private var host: String?
    private var hasRefused = false

    init(identity: ServerIdentity) {
        self.identity = identity
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else {
            if hasRefused {
                promise?.fail(ServerIdentityMismatch())
            } else {
                context.write(data, promise: promise)
            }
            return
        }
        let host = head.headers.last { $0.name == Self.field }?.value
        if host == nil || host != self.host {
            hasRefused = host.map { !identity.isValid(for: $0) } ?? true
            self.host = host
        }
        guard !hasRefused else {
            promise?.fail(ServerIdentityMismatch())
            context.fireErrorCaught(ServerIdentityMismatch())
            return
        }
        head.headers.remove(name: Self.field)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
