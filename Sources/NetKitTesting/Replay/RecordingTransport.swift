import Foundation
public import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends over another transport and records what is sent and what comes back.
///
/// ```swift
/// let recorder = HARRecorder(bodyLimit: .max)
/// let endpoint = Endpoint(baseURL: url, transport: RecordingTransport(to: recorder))
/// // … calls …
/// try recorder.write(to: file)
/// ```
///
/// Secrets are left out as the recorder's redaction, the endpoint's and the request's say, before anything is
/// kept. An exchange is recorded before its last event is told. Each redirect, retry and answer to a
/// challenge is an entry of its own, and so are failures.
///
/// What is cancelled is recorded as far as it came, if its head had come, and the entry says so: a
/// ``ReplayTransport`` refuses it where its length was announced, and fails with `truncatedResponse` behind what is
/// there where it was not. Only `text/event-stream` is replayed as if it had ended, as its readers leave early.
/// A live body is sent as it comes, and is not part of the recording.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let recorder: HARRecorder

    /// Makes a transport that records.
    ///
    /// - Parameters:
    ///   - base: Sends what is recorded. Defaults to a `URLSession` of its own.
    ///   - recorder: Takes it. Its limit for bodies counts: an entry whose body was cut cannot be replayed. Of a
    ///     response's body little more than that is in memory at any time.
    public init(wrapping base: (any Transport)? = nil, to recorder: HARRecorder) {
        self.base = base ?? URLSessionTransport(configuration: .default)
        self.recorder = recorder
    }

    public var sendsSequences: Bool { base.sendsSequences }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        base.send(request, to: Recording(of: request, by: recorder, for: receiver))
    }
}

/// One exchange that is recorded while it is told.
private final class Recording: TransportReceiver {
    private struct State {
        // NetKitTesting has a head of its own: that of MockServer's responses.
        var head: NetKit.ResponseHead?
        var headTime: ContinuousClock.Instant?
        /// The first bytes of the body, as many as may be written down.
        var body = Data()
        /// How many bytes of it came.
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
        // Some more, so that what is hidden is seen as a whole where the limit cuts it.
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

    private func finish(_ failure: TransportFailure?) {
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
                requestType: "",
                attempt: 1,
                request: request,
                response: reason == nil ? response : nil,
                failure: reason,
                start: start,
                duration: now - startTime,
                phases: ExchangePhases(
                    queued: .zero,
                    head: told.headTime.map { $0 - startTime },
                    body: told.headTime.map { now - $0 }
                )
            ),
            received: ReceivedBody(count: told.count, cut: cut)
        )
    }
}
