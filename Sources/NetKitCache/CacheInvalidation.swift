import Foundation
import NetKit
import NetKitSupport

extension CacheLayer {
    /// Sends an unsafe request, and removes the responses that it invalidates (section 4.4).
    func sendUnsafe(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        var sending = call
        if let sink = call.sink {
            // A reader may take hours until the result is there.
            sending.sink = {
                InvalidatingSink(sink()) { invalidate(after: $0, $0.status, of: request) }
            }
        }
        let result = await next.send(request, in: sending)
        if let response = result.response {
            // Again after a stream: what the request changes may have been asked for while it was read.
            invalidate(after: response.head, response.receivedStatus, of: request)
        } else if result.phases?.headDuration != nil {
            // The server may have done its work before the rest of the body was lost.
            cache.remove(request.url)
        }
        return result
    }

    private func invalidate(
        after head: ResponseHead,
        _ status: HTTPStatus,
        of request: EncodedRequest
    ) {
        guard (200..<400).contains(status.rawValue) else { return }
        cache.remove(request.url)
        for name in [HTTPHeaderName.location, .contentLocation] {
            guard let text = head.headers[name],
                let url = RedirectTarget.resolve(text, against: request.url),
                Origin(url) == request.origin
            else { continue }
            cache.remove(url)
        }
    }
}

/// Passes a response on, and calls a closure as soon as its head is there.
private final class InvalidatingSink: BodySink {
    private let reader: any BodySink
    private let onHead: @Sendable (ResponseHead) -> Void

    init(_ reader: any BodySink, _ onHead: @escaping @Sendable (ResponseHead) -> Void) {
        self.reader = reader
        self.onHead = onHead
    }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        onHead(head)
        return try reader.begin(head)
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        try reader.write(data, beyondLimit: beyondLimit)
    }

    func end() throws { try reader.end() }
    func abandon() { reader.abandon() }
    var isFull: Bool { reader.isFull }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        reader.awaitRoom(handler)
    }
}
