internal import NIOCore
internal import NIOHTTP1

/// Sends requests to the hosts alone that the server's certificate names.
///
/// AsyncHTTPClient does not say which host a connection leads to. A request names it in a field, which is
/// taken off here.
final class ServerIdentityCheck: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The field that names the host.
    static let field = "NetKit-Connection-Host"

    private let identity: ServerIdentity
    /// The host that was checked last; nearly always that of the next request too.
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
