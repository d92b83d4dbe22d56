public import Foundation
public import NetKit
public import NetKitHAR
import NetKitSupport

/// A transport that answers requests from a ``HAR`` log.
///
/// The log can come from a ``RecordingTransport``, a ``HARRecorder`` or a browser.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: Fixture("login.har").url)
/// let endpoint = Endpoint(baseURL: url, transport: replay)
/// ```
///
/// Requests are compared after redaction, so a token can differ from the recording. Redacted values
/// of a response are replayed as their marks. Header fields are not compared. Responses arrive at
/// once, without the recording's delays, and failures are replayed.
public final class ReplayTransport: Transport {
    /// The rules for matching requests with entries.
    public enum Mode: Sendable {
        /// Matches method, URL and body, in the log's order, each entry once.
        ///
        /// Use it for calls that run one after another.
        case strict
        /// Matches method, path and query in any order, on any host.
        ///
        /// The first unused entry answers, else the last one. Entries with the same body take
        /// precedence.
        case lenient
        /// Matches method, URL and body, in any order, each entry once.
        ///
        /// Requests without an entry are sent over the transport and added to
        /// ``ReplayTransport/har``.
        case recordMissing(any Transport)
    }

    private let mode: Mode
    private let redaction: Redaction
    private let original: HAR
    private let log: Locked<ReplayLog>
    private let recorder: HARRecorder

    /// Creates a transport from a log.
    ///
    /// - Parameters:
    ///   - har: The log.
    ///   - mode: The rules for matching. Defaults to strict.
    ///   - redaction: The redaction for comparing requests and for new entries, in addition to
    ///     those of the request and its endpoint. Defaults to secrets. It must be the redaction
    ///     that the log was recorded with.
    public init(_ har: HAR, mode: Mode = .strict, redaction: Redaction = .secrets) {
        self.mode = mode
        self.redaction = redaction
        original = har
        log = Locked(ReplayLog(har))
        recorder = HARRecorder(redaction: redaction, bodyLimit: .max)
    }

    /// Creates a transport from a file.
    ///
    /// - Parameters:
    ///   - file: The HAR file. With ``Mode/recordMissing(_:)``, it doesn't have to exist.
    ///   - mode: The rules for matching. Defaults to strict.
    ///   - redaction: As in ``init(_:mode:redaction:)``. Defaults to secrets.
    /// - Throws: ``HARError`` if the file can't be read.
    public convenience init(
        contentsOf file: URL,
        mode: Mode = .strict,
        redaction: Redaction = .secrets
    ) throws(HARError) {
        if case .recordMissing = mode, !FileManager.default.fileExists(atPath: file.path) {
            self.init(HAR(), mode: mode, redaction: redaction)
        } else {
            self.init(try HAR(contentsOf: file), mode: mode, redaction: redaction)
        }
    }

    /// The log, followed by new entries.
    public var har: HAR {
        var har = original
        har.entries += recorder.har.entries
        return har
    }

    /// The log's requests that haven't been made, in order and redacted:
    /// `["POST https://host/login"]`.
    public var unusedRequests: [String] {
        log.withLock { $0.unused }
            .map { "\($0.request.method) \(ReplayedRequest($0.request, redacting: redaction).url)" }
    }

    /// Whether missing requests are sent over a transport that accepts live bodies.
    ///
    /// Of a live body, only the length is compared, if it was announced.
    public var sendsSequences: Bool {
        if case .recordMissing(let transport) = mode { transport.sendsSequences } else { false }
    }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let lower = LowerExchange()
        let player = EventPlayer(for: receiver, clock: .shared, over: lower)
        // Reading a body can take long, so don't do it on the caller's thread.
        player.queue.async { self.answer(request, by: player, lower) }
        return player
    }

    private func answer(
        _ request: EncodedRequest,
        by player: EventPlayer,
        _ lower: LowerExchange
    ) {
        // It was canceled before.
        guard !player.isEnding else { return }
        let redaction = redaction.adding(request.redaction)
        let sought = ReplayedRequest(request, redacting: redaction)
        switch mode {
        case .strict:
            play(log.withLock { $0.takeNext(sought, hiding: redaction) }, to: request, by: player)
        case .lenient:
            play(
                log.withLock { $0.takeSimilar(sought, hiding: redaction) },
                to: request,
                by: player
            )
        case .recordMissing(let transport):
            if let entry = log.withLock({ $0.takeSame(sought, hiding: redaction) }) {
                return play(.success(entry), to: request, by: player)
            }
            let recording = RecordingTransport(wrapping: transport, to: recorder)
            let relay = Relay(to: player, from: lower)
            lower.start(request, over: recording, to: relay)
        }
    }

    private func play(
        _ entry: Result<HAR.Entry, ReplayFailure>,
        to request: EncodedRequest,
        by player: EventPlayer
    ) {
        player.play([.event(.started)])
        do {
            let steps = try entry.get().steps()
            if let body = request.body, body.length > 0 {
                player.play([.event(.sent(body.length))])
            }
            player.play(steps.map { .event($0) })
        } catch {
            let failure = TransportError(.other, underlying: error)
            player.play([.event(.finished(.failed(failure)))])
        }
    }
}

/// Passes on the events of the exchange below.
private final class Relay: TransportReceiver {
    private let player: EventPlayer
    private let lower: LowerExchange

    init(to player: EventPlayer, from lower: LowerExchange) {
        self.player = player
        self.lower = lower
    }

    func receive(_ event: TransportEvent) {
        if case .finished = event { lower.end() }
        player.play([.event(event)])
    }
}
