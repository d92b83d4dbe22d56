import Foundation
import NetKit
import NetKitCurl
import NetKitSupport

/// A receiver that records an exchange.
final class Received: TransportReceiver {
    private struct State {
        var head: ResponseHead?
        var body = Data()
        var count = 0
        var sent: Int64 = 0
        var endings = 0
        var ending: ExchangeFailure??
        var waiter: CheckedContinuation<ExchangeFailure?, Never>?
    }

    let exchange = Locked<(any TransportExchange)?>(nil)
    private let state = Locked(State())
    private let pauseLimit: Int
    private let keepsBody: Bool
    private let onEvent: @Sendable (TransportEvent, Received) -> Void

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes after which it pauses the exchange once.
    ///   - keepsBody: Whether it keeps the body, and not just its length.
    ///   - onEvent: What it does at each event, before it notes it.
    init(
        pausesAfter limit: Int = .max,
        keepsBody: Bool = true,
        onEvent: @escaping @Sendable (TransportEvent, Received) -> Void = { _, _ in }
    ) {
        (pauseLimit, self.keepsBody, self.onEvent) = (limit, keepsBody, onEvent)
    }

    static func of(
        _ request: EncodedRequest,
        over transport: CurlTransport
    ) async -> ExchangeFailure? {
        let received = Received()
        received.begin(request, over: transport)
        return await received.ending()
    }

    /// Sends a request and waits for its end.
    static func get(_ url: String, over transport: CurlTransport) async -> Received {
        let received = Received()
        received.begin(EncodedRequest(url: testURL(url), method: .get), over: transport)
        _ = await received.ending()
        return received
    }

    /// Sends a request whose events come here.
    @discardableResult
    func begin(_ request: EncodedRequest, over transport: CurlTransport) -> any TransportExchange {
        // Under the lock, so that the thread that reports events finds the exchange.
        exchange.withLock { own in
            let exchange = transport.send(request, to: self)
            own = exchange
            return exchange
        }
    }

    var head: ResponseHead? { state.withLock { $0.head } }
    var body: Data { state.withLock { $0.body } }
    var text: String { String(decoding: body, as: UTF8.self) }
    var count: Int { state.withLock { $0.count } }
    var sent: Int64 { state.withLock { $0.sent } }
    var endings: Int { state.withLock { $0.endings } }
    var hasEnded: Bool { endings > 0 }
    var isWhole: Bool {
        if case .some(.none) = state.withLock({ $0.ending }) { true } else { false }
    }
    var error: TransportError? {
        if case .failed(let error)?? = state.withLock({ $0.ending }) { error } else { nil }
    }

    func receive(_ event: TransportEvent) {
        onEvent(event, self)
        switch event {
        case .started: break
        case .sent(let count): state.withLock { $0.sent = count }
        case .head(let head): state.withLock { $0.head = head }
        case .body(let data):
            let count = state.withLock { state in
                state.count += data.count
                if keepsBody { state.body += data }
                return state.count
            }
            if count >= pauseLimit, count - data.count < pauseLimit {
                _ = exchange.withLock { $0 }?.pause()
            }
        case .finished(let failure):
            let waiter = state.withLock { state in
                state.endings += 1
                state.ending = .some(failure)
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: failure)
        }
    }

    func ending() async -> ExchangeFailure? {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state -> ExchangeFailure?? in
                if state.ending == nil { state.waiter = continuation }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }
}

/// The URL of a text, which a test has written.
func testURL(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

/// A transport without a proxy, unless it is configured.
func curl(_ configure: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .none
    // However long a test is kept from going on by others.
    configuration.idleConnectionLifetime = .seconds(3_600)
    configure(&configuration)
    return CurlTransport(configuration: configuration)
}
