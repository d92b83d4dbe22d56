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
                InvalidatingSink(sink()) { head in
                    // On the transport's thread, which doesn't wait for the disk.
                    for url in invalidURLs(after: head, head.status, of: request) {
                        cache.store.remove(url: CacheKey.text(of: url)) {}
                    }
                }
            }
        }
        let result = await next.send(request, in: sending)
        if let response = result.response {
            // Again after a stream: what the request changes may have been asked for while it was read.
            await remove(
                invalidURLs(after: response.head, response.receivedStatus, of: request),
                in: call
            )
        } else if result.phases?.headDuration != nil {
            // The server may have done its work before the rest of the body was lost.
            await remove([request.url], in: call)
        }
        return result
    }

    /// Removes the responses of URLs, and their files before the call ends, unless it is stopped or the disk hangs for longer
    /// than the idle timeout.
    private func remove(_ urls: [URL], in call: CallContext) async {
        for url in urls {
            let wait = Wait()
            cache.store.remove(url: CacheKey.text(of: url)) { wait.finish() }
            guard cache.store.mayHang else { continue }
            let limit = call.idleTimeout(orDefault: settings.values.timeouts.idle)
            await wait.run(call.control, atMost: limit, clock: call.clock)
        }
    }

    private func invalidURLs(
        after head: ResponseHead,
        _ status: HTTPStatus,
        of request: EncodedRequest
    ) -> [URL] {
        guard (200..<400).contains(status.rawValue) else { return [] }
        let others = [HTTPHeaderName.location, .contentLocation]
            .compactMap { name -> URL? in
                guard let text = head.headers[name],
                    let url = RedirectTarget.resolve(text, against: request.url),
                    Origin(url) == request.origin
                else { return nil }
                return url
            }
        return [request.url] + others
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
