internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
@_spi(Transports) internal import NetKit

/// Closes an idle HTTP/1.1 connection a second before its server does (`Keep-Alive: timeout=5`).
///
/// A request on a connection that the server is about to close would be lost. It sits directly before AsyncHTTPClient's own
/// handler, so that it sees each request first.
final class KeepAliveLimit: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var context: ChannelHandlerContext?
    /// What the server last said, in seconds.
    private var timeout: Int?
    /// Whether the connection outlives the last response.
    private var isKept = false
    /// Whether the last request has its whole response.
    private var isAnswered = false
    /// The number of requests that aren't written to the connection yet, as after an early response.
    private var unwritten = 0
    /// Whether the end of a request without a body waits for the flush.
    private var isUnflushed = false
    /// The close to come.
    private var closing: Scheduled<Void>?
    /// The number of requests.
    ///
    /// A task that is canceled may still run.
    private var requests = 0

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    // MARK: Requests

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            stop()
            requests &+= 1
            unwritten += 1
            isAnswered = false
            context.write(data, promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            if let promise {
                promise.futureResult.assumeIsolated().whenSuccess { self.endRequest() }
            } else {
                // AsyncHTTPClient asks only after a body. A head alone is written with the flush, and pays for no promise.
                isUnflushed = true
            }
            context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard isUnflushed else { return }
        isUnflushed = false
        endRequest()
    }

    private func endRequest() {
        unwritten -= 1
        waitIfIdle()
    }

    // MARK: Responses

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            isKept = head.isKeepAlive
            timeout = KeepAliveField.timeout(in: head.headers["Keep-Alive"]) ?? timeout
            context.fireChannelRead(data)
        case .head, .body:
            context.fireChannelRead(data)
        case .end:
            isAnswered = true
            // AsyncHTTPClient may begin the next request at once.
            context.fireChannelRead(data)
            waitIfIdle()
        }
    }

    // MARK: Closing

    /// Schedules the close, if no request is in progress.
    private func waitIfIdle() {
        guard isAnswered, unwritten == 0, isKept, closing == nil, let timeout, let context else {
            return
        }
        let requests = requests
        closing = context.eventLoop.assumeIsolated()
            .scheduleTask(in: .seconds(Int64(max(0, timeout - 1)))) {
                guard self.requests == requests else { return }
                self.close()
            }
    }

    private func stop() {
        closing?.cancel()
        closing = nil
    }

    /// Closes the connection at once, so that a request that has it already fails unsent.
    private func close() {
        closing = nil
        guard let context else { return }
        // SwiftNIO tells the server of the end of TLS, but would then wait for its answer, up to five seconds. Meanwhile, the
        // connection would be there for requests.
        context.close(promise: nil)
        let tls = try? context.pipeline.syncOperations.context(
            handlerType: NIOSSLClientHandler.self
        )
        tls?.close(promise: nil)
    }
}
