public import Foundation
public import NetKit

/// A recorder that collects exchanges as a redacted ``HAR`` log.
///
/// ```swift
/// let recorder = HARRecorder()
/// endpoint.observation.registerExchanges { recorder.record($0) }
/// // … calls …
/// try recorder.write(to: file)
/// ```
///
/// Exchanges are redacted when they are recorded, so secrets are never stored. By default, that includes every body: an
/// entry has its media type and length. To record JSON and forms, pass `Redaction(showsFields: true)`. Exchanges stay in
/// memory until ``removeAll()``. A recorder is safe to use from any thread.
public final class HARRecorder: Sendable {
    /// The parts to redact.
    package let redaction: Redaction
    /// The maximum number of bytes to keep of each body.
    package let bodyLimit: Int
    private let entries = Locked<[HAR.Entry]>([])

    /// Creates a recorder without entries.
    ///
    /// - Parameters:
    ///   - redaction: The parts to redact, in addition to the requests' own redaction. Defaults to
    ///     ``Redaction/secrets``.
    ///   - bodyLimit: The maximum number of bytes to keep of each body. Entries note omitted bytes. Defaults to 1 MiB.
    public init(redaction: Redaction = .secrets, bodyLimit: Int = 1 << 20) {
        self.redaction = redaction
        self.bodyLimit = max(0, bodyLimit)
    }

    /// Records an exchange.
    ///
    /// - Parameter exchange: The exchange as observers receive it.
    public func record(_ exchange: ObservedExchange) {
        record(exchange, received: nil)
    }

    /// Records an exchange with details of how its body arrived, if known.
    ///
    /// It is the record of a transport, made to be replayed, so JSON and forms are shown field by field.
    package func record(_ exchange: ObservedExchange, received: ReceivedBody?) {
        let entry = HAR.Entry(
            exchange,
            redacting: received == nil ? redaction : redaction.showingFields,
            bodyLimit: bodyLimit,
            received: received
        )
        entries.withLock { $0.append(entry) }
    }

    /// The recorded log, in the order in which the exchanges started.
    public var har: HAR {
        // Exchanges with the same start keep the order in which they ended, which is that of their call.
        HAR(entries: entries.withLock { $0 }.ordered { $0.start < $1.start })
    }

    /// Removes all recorded exchanges.
    public func removeAll() {
        entries.withLock { $0 = [] }
    }

    /// Writes the recorded log to a file, atomically replacing an existing one.
    ///
    /// - Parameter file: The URL of the file, in an existing folder.
    /// - Throws: ``HARError`` if the log can't be encoded or written.
    public func write(to file: URL) throws(HARError) {
        try har.write(to: file)
    }
}
