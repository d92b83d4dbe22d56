import NIOCore
import NIOHTTP1

/// Answers each request when it is complete, in one write.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answers: Answers
    private var head: HTTPRequestHead?

    init(_ answers: Answers) {
        self.answers = answers
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end: answer(context: context)
        }
    }

    private func answer(context: ChannelHandlerContext) {
        guard let head = self.head.take() else { return }
        let answer = answers.answer(to: head)
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        guard !head.isKeepAlive else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)))
            .assumeIsolated()
            .whenComplete { _ in context.close(promise: nil) }
    }
}
