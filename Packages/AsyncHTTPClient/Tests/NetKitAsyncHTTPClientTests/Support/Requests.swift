import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitAsyncHTTPClient

typealias TextRequest = DefaultRequest<String, ServerMessage>

/// Sends one request over one transport, and gives who hears of it.
func send(
    _ url: String,
    _ method: HTTPMethod = .get,
    headers: HTTPHeaders = [:],
    body: BodySource? = nil,
    over transport: any Transport = AsyncHTTPClientTransport()
) -> (Recorder, any TransportExchange) {
    let recorder = Recorder()
    let address = URL(string: url) ?? URL(fileURLWithPath: "/")
    let request = EncodedRequest(url: address, method: method, headers: headers, body: body)
    return (recorder, transport.send(request, to: recorder))
}

/// Sends one request, whose response is paused with the first part of its body.
func sendAndPause(
    _ url: String,
    _ method: HTTPMethod = .get,
    headers: HTTPHeaders = [:],
    body: BodySource? = nil,
    over transport: any Transport
) -> (Recorder, any TransportExchange) {
    let exchange = NIOLockedValueBox<(any TransportExchange)?>(nil)
    let (isSent, hasPaused) = (DispatchSemaphore(value: 0), NIOLockedValueBox(false))
    let recorder = Recorder { event in
        guard case .body = event, !hasPaused.withLockedValue({ $0 }) else { return }
        hasPaused.withLockedValue { $0 = true }
        isSent.wait()
        _ = exchange.withLockedValue { $0 }?.pause()
    }
    let address = URL(string: url) ?? URL(fileURLWithPath: "/")
    let request = EncodedRequest(url: address, method: method, headers: headers, body: body)
    let sent = transport.send(request, to: recorder)
    exchange.withLockedValue { $0 = sent }
    isSent.signal()
    return (recorder, sent)
}

/// A body of zeros that counts how much of it was read, and whether it is open.
struct CountedBody: Sendable {
    private struct State {
        var read: Int64 = 0
        var open = 0
    }

    private let state = NIOLockedValueBox(State())
    let length: Int64

    init(length: Int64) {
        self.length = length
    }

    var read: Int64 { state.withLockedValue { $0.read } }
    var isOpen: Bool { state.withLockedValue { $0.open > 0 } }

    /// The body, which gives so many bytes, and as many as it says unless told otherwise.
    func source(giving count: Int64? = nil) -> BodySource {
        BodySource(length: length) {
            state.withLockedValue { $0.open += 1 }
            return Reader(body: self, left: count ?? length)
        }
    }

    private final class Reader: BodyReader {
        private let body: CountedBody
        private var left: Int64

        init(body: CountedBody, left: Int64) {
            self.body = body
            self.left = left
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = Int(min(Int64(buffer.count), left))
            buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
            left -= Int64(count)
            body.state.withLockedValue { $0.read += Int64(count) }
            return count
        }

        func close() {
            body.state.withLockedValue { $0.open -= 1 }
        }
    }
}
