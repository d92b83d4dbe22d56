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

    /// What comes before the path of an answer that the gate may hold back.
    private static let heldPrefix = "/held"

    private let answers: Answers
    private let gate: Gate
    private var head: HTTPRequestHead?
    private var receivedCount = 0
    private var outgoing: Outgoing?

    init(_ answers: Answers, _ gate: Gate) {
        self.answers = answers
        self.gate = gate
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
        guard var head = self.head.take() else { return }
        guard head.uri.hasPrefix(Self.heldPrefix) else { return answer(head, context: context) }
        head.uri.removeFirst(Self.heldPrefix.utf8.count)
        guard let turn = gate.turn(on: context.eventLoop) else {
            return answer(head, context: context)
        }
        turn.assumeIsolated().whenSuccess { self.answer(head, context: context) }
    }

    private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
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
