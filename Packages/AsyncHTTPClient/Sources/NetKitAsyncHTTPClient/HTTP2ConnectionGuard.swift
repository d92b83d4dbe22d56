internal import NIOCore
internal import NIOHTTP2
internal import NetKit

/// Watches the frames of an HTTP/2 connection.
///
/// It tracks which requests the server didn't process and when to stop using the connection. It sits between the
/// handlers of SwiftNIO and AsyncHTTPClient.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    /// The number of streams that the server may reset before the connection takes no more requests.
    ///
    /// SwiftNIO closes a connection after 200 resets in 30 seconds, with all of its requests. At most 100 requests are
    /// on it then.
    private static let maximumResets = 100

    /// The identity of the server's certificate, or nil without TLS.
    let identity: ServerIdentity?
    private var context: ChannelHandlerContext?
    /// The last stream that the server may have processed, once the server has reported it.
    private var lastStream: HTTP2StreamID?
    private var resets = 0
    private var openStreams = 0
    /// New settings that arrived while no stream was open.
    private var keptSettings: HTTP2Frame?
    private var isRefused = false

    init(identity: ServerIdentity?) {
        self.identity = identity
    }

    /// Drops all further frames, because AsyncHTTPClient doesn't get the connection.
    func refuse() {
        isRefused = true
    }

    /// Counts a stream that the server reset.
    ///
    /// After many of them, the connection takes no more requests, as after a GOAWAY frame.
    func noteReset() {
        resets += 1
        guard resets == Self.maximumResets, let context else { return }
        // Must not run before SwiftNIO has read the frame.
        context.eventLoop.assumeIsolated().execute { self.takeNoMoreRequests() }
    }

    private func takeNoMoreRequests() {
        // AsyncHTTPClient closes the connection with the last stream only, so that one without any would stay open.
        guard openStreams > 0, let context else { return }
        let goAway = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .maxID,
            errorCode: .noError,
            opaqueData: nil
        )
        let frame = HTTP2Frame(streamID: .rootStream, payload: goAway)
        context.fireChannelRead(wrapInboundOut(frame))
    }

    /// Returns the error of a request that the server reported as unprocessed (RFC 9113, sections 6.8 and 8.7).
    ///
    /// - Parameters:
    ///   - channel: The stream's channel.
    ///   - error: The error that ended the stream, if any.
    /// - Returns: The error of a request that may be resent, whatever its method; nil for any other request.
    func unprocessedRequest(
        streamOf channel: any Channel,
        after error: (any Error)?
    ) -> UnprocessedRequest? {
        if let closed = error as? NIOHTTP2Errors.StreamClosed, closed.errorCode == .refusedStream {
            return UnprocessedRequest()
        }
        guard let lastStream else { return nil }
        // The largest number only announces the end.
        let hasProcessedOthers = lastStream > .rootStream && lastStream < .maxID
        let error = UnprocessedRequest(hasProcessedOthers: hasProcessedOthers)
        // A stream without a number hasn't sent anything.
        guard let stream = try? channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return error }
        return stream > lastStream ? error : nil
    }

    /// Notes the end of a stream's channel.
    ///
    /// For the place of another request, AsyncHTTPClient waits for the end of a stream, which one without a number never has:
    /// that of a request that is canceled at once.
    func channelEnds(_ channel: any Channel) {
        let number = try? channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        guard number == nil, let context else { return }
        // Must not run while the channel is closed.
        context.eventLoop.assumeIsolated().execute { self.giveBackPlace() }
    }

    private func giveBackPlace() {
        guard let context else { return }
        let begin = NIOHTTP2StreamCreatedEvent(
            streamID: .maxID,
            localInitialWindowSize: nil,
            remoteInitialWindowSize: nil
        )
        context.fireUserInboundEventTriggered(begin)
        let end = StreamClosedEvent(streamID: .maxID, reason: .cancel)
        context.fireUserInboundEventTriggered(end)
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
        case .goAway(let last, _, _):
            lastStream = min(last, lastStream ?? last)
            // AsyncHTTPClient never closes a connection that ends while it is idle, and its shutdown waits for that.
            if openStreams == 0 { context.eventLoop.assumeIsolated().execute { self.closeIdle() } }
        // For settings on an idle connection, AsyncHTTPClient starts an idle timer. In a debug build it crashes if a
        // timer exists.
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
        if resets >= Self.maximumResets {
            context.eventLoop.assumeIsolated().execute { self.takeNoMoreRequests() }
        }
        guard keptSettings != nil else { return }
        // Must not run during a write.
        context.eventLoop.assumeIsolated().execute { self.releaseSettings() }
    }

    private func closeIdle() {
        if openStreams == 0 { context?.close(promise: nil) }
    }

    private func releaseSettings() {
        guard openStreams > 0, let frame = keptSettings, let context else { return }
        keptSettings = nil
        context.fireChannelRead(wrapInboundOut(frame))
        context.fireChannelReadComplete()
    }
}

/// An error for a request that the server reported as unprocessed.
struct UnprocessedRequest: DescribedCause {
    /// Whether the server has processed other requests on the connection.
    var hasProcessedOthers = false
    /// The number of refusals.
    var count = 1

    var description: String {
        let times = count == 1 ? "" : " \(count) times"
        return "the server refused the request\(times) without processing it"
    }
}
