import NetKit
import NetKitConventions
import Tracing

/// The span of the call that the current task works for, and the number of its exchanges.
struct CallTrace: Sendable {
    @TaskLocal static var current: CallTrace?

    let span: any Tracing.Span
    private let exchanges = Guarded(0)

    init(span: any Tracing.Span) {
        self.span = span
    }

    /// Counts an exchange.
    ///
    /// - Returns: The number of exchanges before it.
    func nextExchange() -> Int {
        exchanges.withLock { count in
            defer { count += 1 }
            return count
        }
    }

    /// Adds what happens between the exchanges.
    func note(_ kind: CallEvent.Kind) {
        switch kind {
        case .redirected(let status, let url):
            add("redirect") { attributes in
                attributes["http.response.status_code"] = status.rawValue
                attributes["url.full"] = url
            }
        case .refreshed(let recovery):
            add("authentication") { $0["netkit.recovery"] = "\(recovery)" }
        case .answeredFromCache(let outcome): span.attributes["netkit.cache"] = "\(outcome)"
        case .attemptFinished(let trace):
            switch trace.next {
            case .retry(let delay): add("retry") { $0["netkit.delay"] = delay / .seconds(1) }
            case .stop(let refusal): note(refusal)
            case .done, .interceptor: break
            }
        case .startedOver(let restart): add("restart") { $0["netkit.reason"] = "\(restart)" }
        case .queued, .attemptStarted, .started, .sent, .credentialsRemoved, .received, .decoded,
            .finished:
            break
        }
    }

    /// Adds why a failure that could have been retried wasn't.
    private func note(_ refusal: RetryRefusal) {
        let reason: String
        switch refusal {
        case .notRepeatable: reason = "notRepeatable"
        case .retryAfterTooLong: reason = "retryAfterTooLong"
        case .budgetExhausted: reason = "budgetExhausted"
        case .deadlineTooClose: reason = "deadlineTooClose"
        case .notTransient, .retriesExhausted, .streamStarted, .liveBody, .callEnded: return
        }
        add("retry.refused") { $0["netkit.reason"] = reason }
    }

    private func add(_ name: String, _ set: (inout SpanAttributes) -> Void) {
        var attributes = SpanAttributes()
        set(&attributes)
        span.addEvent(SpanEvent(name: name, attributes: attributes))
    }
}

/// The traces of the calls in flight.
///
/// The thread that delivers an event need not work for its call: it may be one of the transport's.
final class CallTraces: Sendable {
    private let traces = Guarded<[Int: CallTrace]>([:])

    /// Adds an event to the trace of its call.
    func note(_ event: CallEvent) {
        let trace = traces.withLock { traces -> CallTrace? in
            switch event.kind {
            // It comes before the call's own trace, maybe within that of another call.
            case .queued: return nil
            case .finished: return traces.removeValue(forKey: event.callID)
            default:
                let trace = traces[event.callID] ?? CallTrace.current
                traces[event.callID] = trace
                return trace
            }
        }
        trace?.note(event.kind)
    }
}
