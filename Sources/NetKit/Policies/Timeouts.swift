import Foundation
package import NetKitSupport

/// The time limits of a call.
///
/// NetKit enforces both limits itself, to the millisecond. URLSession's timeouts serve only as a fallback, because on
/// Linux they drop fractions of a second and ignore the resource timeout.
public struct Timeouts: Hashable, Sendable {
    /// The longest time without a byte sent or received.
    ///
    /// Values below one millisecond count as one millisecond. Defaults to 60 seconds. An endpoint starts with the
    /// `timeoutIntervalForRequest` of its session configuration.
    ///
    /// The limit covers connecting. It restarts with each attempt, with the response's head and with body bytes in
    /// either direction. Time in the endpoint's queue doesn't count, and neither does time while a slow reader pauses
    /// the transfer.
    public var idle: Duration {
        didSet { idle = Duration(timeout: idle) }
    }
    /// The longest time for the whole call.
    ///
    /// Defaults to nil, no limit.
    ///
    /// It covers queueing, all attempts and redirects, the delays between them, and the body.
    public var total: Duration?

    /// Creates a pair of limits.
    ///
    /// - Parameters:
    ///   - idle: The idle timeout, at least one millisecond. Defaults to 60 seconds.
    ///   - total: The total timeout. Defaults to nil, no limit.
    public init(idle: Duration = .seconds(60), total: Duration? = nil) {
        self.idle = Duration(timeout: idle)
        self.total = total
    }
}

/// The time limit that a call exceeded.
///
/// Two values of one kind are equal, whatever their details.
public enum TimeoutPhase: Hashable, Sendable {
    /// No byte was sent or received for the idle timeout.
    case idle(TimeoutDetail)
    /// The whole call took longer than its total timeout.
    case total(TimeoutDetail)

    /// The idle timeout without details.
    public static let idle = TimeoutPhase.idle(TimeoutDetail())
    /// The total timeout without details.
    public static let total = TimeoutPhase.total(TimeoutDetail())

    /// The limit, and the request that exceeded it.
    private var detail: TimeoutDetail {
        switch self {
        case .idle(let detail), .total(let detail): detail
        }
    }

    private var isIdle: Bool { if case .idle = self { true } else { false } }
}

extension TimeoutPhase: EqualByKey {
    package var equalityKey: Bool { isIdle }
}

/// The limit that a call exceeded, and its request.
public struct TimeoutDetail: Sendable {
    /// The limit; nil in an error that a test created.
    let limit: Duration?
    fileprivate var place = FailurePlace()

    init(limit: Duration? = nil) { self.limit = limit }
}

extension TimeoutPhase: Placed {
    package var place: FailurePlace {
        get { detail.place }
        set {
            var detail = detail
            detail.place = newValue
            self = isIdle ? .idle(detail) : .total(detail)
        }
    }

    /// One line with method, redacted URL and ``message``.
    var line: String { place.line(words) }

    /// What happened, and the setting that limits it.
    var message: String { place.message(words) }

    private var words: String {
        let limit = detail.limit.map { DurationText($0) }
        return switch self {
        case .idle:
            "no byte received \(limit.map { "for \($0)" } ?? "in time") (idle timeout; see Request.timeout)"
        case .total:
            "not complete \(limit.map { "after \($0)" } ?? "in time") (total timeout; see Timeouts.total)"
        }
    }
}

extension TimeoutPhase: Concealed {
    /// `idle` or `total`.
    package var shown: String { isIdle ? "idle" : "total" }
}
