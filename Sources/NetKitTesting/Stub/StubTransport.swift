public import Foundation
public import NetKit

/// A transport without a network: requests are answered by routes, in the test's own process.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/users/{id}") { request in .json(User(id: try request.parameter("id"))) }
/// let endpoint = Endpoint(baseURL: url, transport: stub)
/// ```
///
/// Everything above the transport is NetKit's own as in earnest: redirects, retries, deadlines,
/// authentication, downloads into files and streams. Transports share nothing, so that tests with
/// different ones run at the same time. Nothing here belongs to a test framework: checks give values or
/// throw.
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

    /// Makes a transport without routes.
    ///
    /// - Parameters:
    ///   - basePath: What stands in front of the routes' paths: the path of the endpoint's base URL.
    ///     Defaults to nothing.
    ///   - encoder: Encodes replies. Defaults to a plain `JSONEncoder` that sorts keys, which is what the
    ///     decoder of an endpoint without one of its own reads.
    ///   - seed: Decides which requests meet with ``StubReply/failing(probability:with:)``. Defaults to 0.
    ///   - clock: Measures delays and pauses; nil, the default, for real time.
    public init(
        basePath: String = "",
        encoder: JSONEncoder? = nil,
        seed: UInt64 = 0,
        clock: ManualClock? = nil
    ) {
        self.basePath = basePath
        chance = SeededChance(seed: seed)
        self.clock = clock?.deadlines ?? .shared
        let standard = JSONEncoder()
        standard.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        settings = Locked(Settings(encoder: encoder ?? standard))
    }

    /// Encodes the values of replies; to be one that the client's decoder understands.
    ///
    /// Dates and keys are written as it says: give it the strategies of the endpoint's decoder, as
    /// `JSONEncoder.snakeCaseISO8601` has those of `JSONDecoder.snakeCaseISO8601`.
    public var encoder: JSONEncoder {
        get { settings.withLock { $0.encoder } }
        set { settings.withLock { $0.encoder = newValue } }
    }

    /// Whether the bodies of requests are kept, as they are by default.
    ///
    /// Otherwise they are read and counted only, so that an upload of any size takes no memory.
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
        // Not on the caller's thread: reading a body takes as long as it takes.
        player.queue.async { player.play(self.steps(for: request, number, player)) }
        return player
    }

    /// Reads the request and finds what answers it.
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
            return [.event(.finished(.failed(TransportError(.other, underlying: error))))]
        }
    }
}
