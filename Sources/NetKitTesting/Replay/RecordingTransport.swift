import Foundation
public import NetKit
public import NetKitHAR
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that records the requests and responses of another transport.
///
/// ```swift
/// let recorder = HARRecorder(bodyLimit: .max)
/// let endpoint = Endpoint(baseURL: url, transport: RecordingTransport(to: recorder))
/// // … calls …
/// try recorder.write(to: file)
/// ```
///
/// Secrets are redacted before anything is stored, by the recorder, the endpoint and the request.
/// JSON and forms are recorded field by field. Bodies of other types are recorded only if the
/// recorder's redaction shows them, and so are the values of custom header fields:
/// `HARRecorder(redaction: Redaction(shownHeaders: ["X-Next"], wholeBodies: ["*/*"]))`.
///
/// An exchange is recorded before the receiver gets its last event. Each redirect, retry and
/// response to a challenge is a separate entry, and so is each failure, with what arrived before it.
///
/// A canceled exchange is recorded up to that point, if its head has arrived. If the body's length
/// was announced, a ``ReplayTransport`` refuses the entry. Otherwise the replay ends with
/// `truncatedResponse`. A `text/event-stream` is replayed as if it had ended, because its readers
/// leave early. A live body is sent as it arrives, and isn't recorded.
public final class RecordingTransport: Transport, WrappingTransport {
    private let base: any Transport
    private let recorder: HARRecorder

    /// Creates a recording transport.
    ///
    /// - Parameters:
    ///   - base: The transport to record. Defaults to a separate `URLSession`.
    ///   - recorder: The recorder. Its body limit applies: an entry whose body was cut can't be
    ///     replayed. At any time, little more than the limit of a response's body is in memory.
    public init(wrapping base: (any Transport)? = nil, to recorder: HARRecorder) {
        self.base = base ?? URLSessionTransport(configuration: .default)
        self.recorder = recorder
    }

    public var sendsSequences: Bool { base.sendsSequences }
    package var wrapped: any Transport { base }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        base.send(request, to: Recording(of: request, by: recorder, for: receiver))
    }
}

/// An exchange that is recorded as its events arrive.
private final class Recording: TransportReceiver {
    private struct State {
        var head: ResponseHead?
        var headTime: ContinuousClock.Instant?
        /// The first bytes of the body, up to the limit.
        var body = Data()
        /// The number of body bytes that arrived.
        var count = 0
    }

    private let state = Locked(State())
    private let request: EncodedRequest
    private let recorder: HARRecorder
    private let receiver: any TransportReceiver
    private let bodyLimit: Int
    private let start = Date()
    private let startTime = ContinuousClock.now

    init(
        of request: EncodedRequest,
        by recorder: HARRecorder,
        for receiver: any TransportReceiver
    ) {
        self.request = request
        self.recorder = recorder
        self.receiver = receiver
        // A margin, so that redaction sees a whole secret where the limit cuts it.
        let (limit, overflow) = recorder.bodyLimit.addingReportingOverflow(1 << 16)
        bodyLimit = overflow ? .max : limit
    }

    func receive(_ event: TransportEvent) {
        switch event {
        case .started, .sent: break
        case .head(let head):
            state.withLock { state in
                state.head = head
                state.headTime = .now
            }
        case .body(let data):
            state.withLock { state in
                state.count += data.count
                state.body += data.prefix(bodyLimit - state.body.count)
            }
        case .finished(let failure): finish(failure)
        }
        receiver.receive(event)
    }

    private func finish(_ failure: ExchangeFailure?) {
        let told = state.withLock { $0 }
        let (reason, cut): (String?, String?)
        switch failure {
        case nil: (reason, cut) = (nil, nil)
        case .cancelled where told.head == nil: return
        case .cancelled: (reason, cut) = (nil, TransportError.Kind.truncatedResponse.words)
        case .failed(let error): (reason, cut) = (error.kind.words, nil)
        }
        let now = ContinuousClock.now
        let response = told.head.map { head in
            HTTPResponse(
                request: request.urlRequest,
                url: request.url,
                status: head.status,
                headers: head.headers,
                body: told.body
            )
        }
        recorder.record(
            ObservedExchange(
                callID: 0,
                requestName: "",
                attempt: 1,
                request: request,
                response: response,
                failure: reason,
                start: start,
                duration: now - startTime,
                phases: ExchangePhases(
                    queue: .zero,
                    head: told.headTime.map { $0 - startTime },
                    body: told.headTime.map { now - $0 }
                )
            ),
            received: ReceivedBody(count: told.count, cut: cut)
        )
    }
}
