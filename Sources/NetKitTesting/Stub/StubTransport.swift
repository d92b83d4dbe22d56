public import Foundation
public import NetKit
import NetKitSupport

/// A transport that answers requests by routes, without a network.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/users/{id}") { request in .json(User(id: try request.parameter("id"))) }
/// let endpoint = Endpoint(baseURL: url, transport: stub)
/// ```
///
/// Everything above the transport runs as in production: redirects, retries, deadlines,
/// authentication, downloads and streams. Transports share nothing, so tests can run in parallel.
/// They depend on no test framework: checks return values or throw errors.
public final class StubTransport: Transport {
    let state = Locked(StubRoutes())
    private let settings: Locked<Settings>
    let basePath: String
    private let chance: SeededChance
    private let clock: DeadlineClock

    private struct Settings {
        var encoder: JSONEncoder
        var keepsBodies = true
    }

    /// Creates a transport without routes.
    ///
    /// - Parameters:
    ///   - basePath: A prefix of all routes: the path of the endpoint's base URL. Defaults to none.
    ///   - encoder: The encoder for replies. Defaults to a `JSONEncoder` with default settings and
    ///     sorted keys, which matches an endpoint without its own decoder.
    ///   - seed: The seed for ``StubReply/failing(probability:with:)``. Defaults to 0.
    ///   - clock: The clock for delays and pauses. Defaults to nil, which means real time.
    public init(
        basePath: String = "",
        encoder: JSONEncoder? = nil,
        seed: UInt64 = 0,
        clock: ManualClock? = nil
    ) {
        self.basePath = basePath
        chance = SeededChance(seed: seed)
        self.clock = clock?.deadlines ?? .shared
        settings = Locked(Settings(encoder: encoder ?? .sorted))
    }

    /// The encoder for the values of replies.
    ///
    /// It must match the client's decoder, with the same strategies for dates and keys. For
    /// example, use `JSONEncoder.snakeCaseISO8601` with `JSONDecoder.snakeCaseISO8601`.
    public var encoder: JSONEncoder {
        get { settings.withLock { $0.encoder } }
        set { settings.withLock { $0.encoder = newValue } }
    }

    /// Whether to keep the bodies of requests.
    ///
    /// True by default.
    ///
    /// If false, bodies are only read and counted, so that an upload of any size takes no memory.
    public var keepsBodies: Bool {
        get { settings.withLock { $0.keepsBodies } }
        set { settings.withLock { $0.keepsBodies = newValue } }
    }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let player = EventPlayer(for: receiver, clock: clock)
        let number = state.withLock { $0.nextNumber() }
        player.play([.event(.started)])
        // Not on the caller's thread: reading a body takes as long as it takes. In a task of the caller's, so that what a
        // reply's closure checks is reported for the test that sent the request.
        player.queue.runInTask { player.play(self.steps(for: request, number, player)) }
        return player
    }

    /// Reads the request and finds its reply.
    private func steps(
        for request: EncodedRequest,
        _ number: Int,
        _ player: EventPlayer
    ) -> [EventPlayer.Step] {
        do {
            let body = try ReadBody(request.body, keepingBytes: keepsBodies) { count in
                player.play([.event(.sent(count))])
                return !player.isEnding
            }
            guard !player.isEnding else { return [] }
            let found = state.withLock { state in
                state.take(StubRequest(request, number: number, body: body))
            }
            let (asked, answer) = try found.get()
            let reply = try answer.reply(asked)
            if let risk = reply.chance,
                chance.happens(
                    risk.probability,
                    to: "route \(answer.stub.number)",
                    number: asked.occurrence
                )
            {
                return [.pause(reply.delay), .event(.finished(.failed(risk.error)))]
            }
            return try reply.steps(to: request.method, encoder: encoder)
        } catch let error as TransportError {
            return [.event(.finished(.failed(error)))]
        } catch {
            // No reconnection helps.
            var failure = TransportError(.other, underlying: error)
            failure.isOfTest = true
            return [.event(.finished(.failed(failure)))]
        }
    }
}
