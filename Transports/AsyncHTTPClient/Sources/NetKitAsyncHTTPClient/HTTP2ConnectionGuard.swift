internal import NIOCore
internal import NIOHTTP2
internal import NetKit

/// Watches the frames of a connection of HTTP/2: which requests its server did not process, and when
/// the connection is to be used no more.
///
/// It stands between SwiftNIO's handler and those of AsyncHTTPClient.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    /// How many streams may end early until the connection takes no more requests.
    ///
    /// SwiftNIO gives up a connection with 200 resets in half a minute, and all that is on it. At most
    /// 100 requests are on it then.
    private static let maximumEarlyEnds = 100

    /// Whose certificate the server has; nil without one.
    let identity: ServerIdentity?
    private var context: ChannelHandlerContext?
    /// The last stream that the server may have processed, once it has said so.
    private var lastStream: HTTP2StreamID?
    private var earlyEnds = 0
    private var openStreams = 0
    /// New settings that came while nothing was under way.
    private var keptSettings: HTTP2Frame?
    private var isRefused = false

    init(identity: ServerIdentity?) {
        self.identity = identity
    }

    /// Drops everything that arrives from now on: AsyncHTTPClient does not have the connection.
    func refuse() {
        isRefused = true
    }

    /// A stream has ended before its request was whole.
    ///
    /// The connection takes no more requests after many of them, as after a GOAWAY frame.
    func streamEndsEarly() {
        earlyEnds += 1
        guard earlyEnds == Self.maximumEarlyEnds, let context else { return }
        let goAway = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .maxID,
            errorCode: .noError,
            opaqueData: nil
        )
        let frame = HTTP2Frame(streamID: .rootStream, payload: goAway)
        context.fireChannelRead(wrapInboundOut(frame))
    }

    /// Whether the server has said that it did not process the request of a stream (RFC 9113, section 6.8).
    ///
    /// - Parameter channel: The stream's channel.
    /// - Returns: Whether the request may be sent again, whatever its method.
    func hasNotProcessed(streamOf channel: any Channel) -> Bool {
        guard let lastStream else { return false }
        // A stream without a number has sent nothing.
        guard let stream = try? channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return true }
        return stream > lastStream
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .goAway(let last, _, _): lastStream = min(last, lastStream ?? last)
        case .rstStream: streamEndsEarly()
        // AsyncHTTPClient starts a timer for an idle connection then, and ends the process of a debug build
        // if it has one.
        case .settings(.settings) where openStreams == 0:
            keptSettings = frame
            return
        default: break
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if event is StreamClosedEvent { openStreams -= 1 }
        guard event is NIOHTTP2StreamCreatedEvent else { return }
        openStreams += 1
        guard keptSettings != nil else { return }
        // Not in the middle of a write.
        context.eventLoop.assumeIsolated().execute { self.releaseSettings() }
    }

    private func releaseSettings() {
        guard openStreams > 0, let frame = keptSettings, let context else { return }
        keptSettings = nil
        context.fireChannelRead(wrapInboundOut(frame))
        context.fireChannelReadComplete()
    }
}

/// The server has said that it did not process a request.
struct UnprocessedRequest: DescribedCause {
    let description = "the server ended the connection before it processed the request"
}
