public import Foundation
public import NetKit

/// Answers requests from a ``HAR`` log, as ``RecordingTransport``, ``HARRecorder`` or a browser wrote it.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: Fixture("login.har").url)
/// let endpoint = Endpoint(baseURL: url, transport: replay)
/// ```
///
/// Requests are compared without what the redaction hides, so that a token may be another one than in the
/// recording. What is hidden in a recording is replayed as the mark that stands for it. Header fields do not count. Everything is answered at once, without the recording's waits;
/// failures fail again.
public final class ReplayTransport: Transport {
    /// How requests and entries are brought together.
    public enum Mode: Sendable {
        /// In the log's order, each entry once; method, URL and body have to match. For calls that are made one
        /// after the other.
        case strict
        /// By method and path, and by the query in any order, on any host; in the log's order, and the last one
        /// again when all have been used. Of several those with the same body are taken, if there are any.
        case lenient
        /// In any order, each entry once; method, URL and body have to match. What is not there is sent over this
        /// transport and added to ``ReplayTransport/har``.
        case recordMissing(any Transport)
    }

    private let mode: Mode
    private let redaction: Redaction
    private let original: HAR
    private let log: Locked<ReplayLog>
    private let recorder: HARRecorder

    /// Makes a transport from a log.
    ///
    /// - Parameters:
    ///   - har: The log.
    ///   - mode: How requests and entries are brought together. Defaults to strict.
    ///   - redaction: What does not count in URLs and bodies, besides what a request and its endpoint hide, and
    ///     what is left out of what is added. Defaults to secrets; to be what the log was recorded with.
    public init(_ har: HAR, mode: Mode = .strict, redaction: Redaction = .secrets) {
        self.mode = mode
        self.redaction = redaction
        original = har
        log = Locked(ReplayLog(har))
        recorder = HARRecorder(redaction: redaction, bodyLimit: .max)
    }

    /// Makes a transport from a file.
    ///
    /// - Parameters:
    ///   - file: A HAR file. With ``Mode/recordMissing(_:)`` it need not be there yet.
    ///   - mode: How requests and entries are brought together. Defaults to strict.
    ///   - redaction: As in ``init(_:mode:redaction:)``. Defaults to secrets.
    /// - Throws: ``HARFailure`` if the file cannot be read.
    public convenience init(
        contentsOf file: URL,
        mode: Mode = .strict,
        redaction: Redaction = .secrets
    ) throws(HARFailure) {
        if case .recordMissing = mode, !FileManager.default.fileExists(atPath: file.path) {
            self.init(HAR(), mode: mode, redaction: redaction)
        } else {
            self.init(try HAR(contentsOf: file), mode: mode, redaction: redaction)
        }
    }

    /// The log, with what was added to it at its end.
    public var har: HAR {
        var har = original
        har.entries += recorder.har.entries
        return har
    }

    /// The requests of the log that weren't made, in its order: `["POST https://host/login"]`.
    public var unusedRequests: [String] {
        log.withLock { $0.unused }.map { "\($0.request.method) \($0.request.url)" }
    }

    /// Whether what is missing is sent over a transport that can; of a body that is sent so nothing is compared but
    /// its length, if that was announced.
    public var sendsSequences: Bool {
        if case .recordMissing(let transport) = mode { transport.sendsSequences } else { false }
    }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let lower = LowerExchange()
        let player = EventPlayer(for: receiver, clock: .shared, over: lower)
        // Not on the caller's thread: reading a body takes as long as it takes.
        player.queue.async { self.answer(request, by: player, lower) }
        return player
    }

    private func answer(
        _ request: EncodedRequest,
        by player: EventPlayer,
        _ lower: LowerExchange
    ) {
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

/// Hands on what is told of the exchange below.
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
