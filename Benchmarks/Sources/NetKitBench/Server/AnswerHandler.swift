import NIOCore
import NIOHTTP1

/// Answers each request when it is complete, and counts and drops the bytes of its body until then.
///
/// An answer that the socket does not take at once goes on whenever there is room again, so that a
/// large one takes no memory.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// An answer on its way.
    private struct Outgoing {
        var body: OutgoingBody
        let isLast: Bool
    }

    private let answers: Answers
    private var head: HTTPRequestHead?
    private var receivedCount = 0
    private var outgoing: Outgoing?

    init(_ answers: Answers) {
        self.answers = answers
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            receivedCount = 0
        case .body(let bytes): receivedCount += bytes.readableBytes
        case .end: answer(context: context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { send(context: context) }
        context.fireChannelWritabilityChanged()
    }

    private func answer(context: ChannelHandlerContext) {
        guard let head = self.head.take() else { return }
        let answer = answers.answer(to: head, bodyLength: receivedCount)
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        outgoing = Outgoing(body: answer.body, isLast: !head.isKeepAlive)
        send(context: context)
    }

    private func send(context: ChannelHandlerContext) {
        // A flush may find room and end up here again: the state is in `outgoing` before each.
        while let bytes = outgoing?.body.next() {
            context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            guard context.channel.isWritable else { return context.flush() }
        }
        guard let isLast = outgoing.take()?.isLast else { return }
        guard isLast else { return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)))
            .assumeIsolated()
            .whenComplete { _ in context.close(promise: nil) }
    }
}
