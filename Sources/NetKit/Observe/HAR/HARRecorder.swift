public import Foundation

/// Gathers exchanges as a ``HAR``, without what a ``Redaction`` hides.
///
/// ```swift
/// let recorder = HARRecorder()
/// endpoint.observation.registerExchanges { recorder.record($0) }
/// // … calls …
/// try recorder.write(to: file)
/// ```
///
/// Exchanges are redacted as they come in: what is hidden is kept nowhere. They are in memory until
/// ``removeAll()``. It may be used from any thread.
public final class HARRecorder: Sendable {
    /// What is not shown.
    package let redaction: Redaction
    /// How many bytes of each body are kept at most.
    package let bodyLimit: Int
    private let entries = Locked<[HAR.Entry]>([])

    /// Makes a recorder without entries.
    ///
    /// - Parameters:
    ///   - redaction: What is not shown, besides what the requests themselves hide. Defaults to secrets.
    ///   - bodyLimit: How many bytes of each body are kept at most; the entry says what was left out.
    ///     Defaults to 1 MiB.
    public init(redaction: Redaction = .secrets, bodyLimit: Int = 1 << 20) {
        self.redaction = redaction
        self.bodyLimit = max(0, bodyLimit)
    }

    /// Adds an exchange.
    ///
    /// - Parameter exchange: The exchange, as an observer gets it.
    public func record(_ exchange: ObservedExchange) {
        record(exchange, received: nil)
    }

    /// Adds an exchange of which may be known how its response's body came; nil for a guess.
    package func record(_ exchange: ObservedExchange, received: ReceivedBody?) {
        let entry = HAR.Entry(
            exchange,
            redacting: redaction,
            bodyLimit: bodyLimit,
            received: received
        )
        entries.withLock { $0.append(entry) }
    }

    /// What there is so far, in the order in which the exchanges began.
    public var har: HAR {
        // In the order in which they ended where they began at one time: it is the order of one call's.
        HAR(entries: entries.withLock { $0 }.ordered { $0.start < $1.start })
    }

    /// Forgets what there is.
    public func removeAll() {
        entries.withLock { $0 = [] }
    }

    /// Writes what there is to a file: whole, in the place of what is there, or not at all.
    ///
    /// - Parameter file: The file, in a folder that is there.
    /// - Throws: ``HARFailure``.
    public func write(to file: URL) throws(HARFailure) {
        try har.write(to: file)
    }
}
