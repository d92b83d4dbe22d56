internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// Refuses heads whose `:status` isn't a three-digit number from 100 (RFC 9110, section 15).
///
/// It is the first handler of a stream, because SwiftNIO's own handler crashes on a negative number.
final class HTTP2StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .headers(let head) = unwrapInboundIn(data),
            let status = head.headers.first(name: ":status"), !Self.isStatus(status)
        {
            hasRefused = true
            context.fireErrorCaught(MalformedResponse.status(status))
        } else {
            context.fireChannelRead(data)
        }
    }

    private static func isStatus(_ text: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return text.utf8.count == 3 && text.utf8.allSatisfy(digits.contains)
            && text.utf8.first != digits.lowerBound
    }
}
