internal import CLibcurl
internal import Foundation
internal import NetKit
import NetKitSupport

/// One request over libcurl: posted, running, or ended.
///
/// Its owner cancels, pauses and resumes it from any thread. All events come from the thread of the loop.
final class CurlTransfer: TransportExchange, @unchecked Sendable {
    // Proof: `handle`, `receiver` and `transport` are used by the thread of the loop alone, from the order to start until the
    // end, by `send` before that order is posted, and by whoever ends the orders of a thread that couldn't be started. The
    // mailbox's lock is between them.
    private struct Flags {
        var isCancelled = false
        var isPaused = false
        /// Whether libcurl holds bytes of the response back, or waits for bytes of the request.
        var isHeldBack = false
        var hasEnded = false
    }

    let request: EncodedRequest
    /// The request's method as it is sent.
    let method: HTTPMethod
    let origin: Origin?
    private let mailbox: CurlMailbox
    private let flags = Locked(Flags())
    private(set) var handle: CurlHandle?
    private var receiver: (any TransportReceiver)?
    /// Keeps the transport, and so the thread, until the transfer has ended.
    private var transport: CurlTransport?

    init(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver,
        over transport: CurlTransport,
        _ mailbox: CurlMailbox
    ) {
        self.request = request
        method = request.sentMethod
        origin = request.origin
        self.receiver = receiver
        self.transport = transport
        self.mailbox = mailbox
    }

    // MARK: Any thread

    func cancel() {
        let isNew = flags.withLock { flags in
            defer { flags.isCancelled = true }
            return !flags.isCancelled && !flags.hasEnded
        }
        if isNew { mailbox.post(.cancel(self)) }
    }

    func pause() -> Bool {
        flags.withLock { $0.isPaused = !$0.hasEnded }
        return true
    }

    func resume() {
        let isHeldBack = flags.withLock { flags in
            defer { (flags.isPaused, flags.isHeldBack) = (false, false) }
            return flags.isHeldBack && !flags.hasEnded
        }
        if isHeldBack { mailbox.post(.proceed(self)) }
    }

    /// Tells the thread that there are bytes for the request.
    func hasMoreToSend() { mailbox.post(.proceed(self)) }

    /// Refuses a request that can't be sent.
    func check() throws(TransportError) {
        if origin == nil, let problem = Origin.problem(of: request.url) {
            throw .unsupported("the URL: \(problem)")
        }
        if method == .head, request.body?.hasContent == true {
            // libcurl would wait for a body of the response.
            throw .unsupported("a HEAD request with a body")
        }
    }

    /// Ends a transfer that was never posted.
    func refuse(_ error: TransportError) { finish(.failed(error)) }

    // MARK: The thread of the loop

    var isCancelled: Bool { flags.withLock { $0.isCancelled } }

    /// What is to become of bytes of the response.
    enum Readiness {
        case takesBytes
        /// The receiver takes no bytes now; the loop is told to proceed later.
        case holdsBack
        case isCancelled
    }

    func readiness() -> Readiness {
        flags.withLock { flags in
            if flags.isCancelled { return .isCancelled }
            if flags.isPaused { flags.isHeldBack = true }
            return flags.isPaused ? .holdsBack : .takesBytes
        }
    }

    func begin(with handle: CurlHandle) {
        self.handle = handle
        receiver?.receive(.started)
    }

    func deliver(_ event: TransportEvent) { receiver?.receive(event) }

    func finish(_ failure: ExchangeFailure?) {
        flags.withLock { $0.hasEnded = true }
        handle = nil
        let (receiver, transport) = (receiver, transport)
        (self.receiver, self.transport) = (nil, nil)
        receiver?.receive(.finished(failure))
        withExtendedLifetime(transport) {}
    }
}

/// What begins anew when the transfer is sent again.
struct CurlAttempt {
    var reader = CurlResponseReader()
    /// The bytes of the response's body.
    var received: Int64 = 0
    var isSent = false
    /// Whether the connection can't be used, so that nothing was sent.
    var isUseless = false
    /// Whether libcurl has ended the request's part in the connection.
    var hasLeft = false
    /// The bytes that a proxy received before the request.
    var tunnelSize = 0
    /// How often libcurl asked whether to go on before the request was sent.
    var steps = 0
    /// Whether libcurl hasn't stored a field yet, so that the lines are checked before it does.
    var checksLines = true
    /// Whether the last piece of a line of the head isn't the line's end.
    var isInLine = false
    /// Whether the server refused the request.
    var isRefused = false
    /// The connection and the stream of the request over HTTP/2.
    var connection: CurlRefusals.Connection?
    var stream = 0
    /// The socket that libcurl waited for last, and whether it waits for it no more.
    var socket: Int32 = -1
    var isQuiet = false
    /// Whether libcurl holds bytes of the response back.
    var isHeldBack = false
}
