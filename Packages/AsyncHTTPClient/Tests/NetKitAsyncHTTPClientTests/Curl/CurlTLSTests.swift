import Foundation
import NIOConcurrencyHelpers
import NetKit
import NetKitCurl
import Testing

/// TLS and HTTP/2 of the transport over libcurl.
///
/// They are here because the servers need SwiftNIO.
@Suite("TLS over libcurl with a real nginx", .timeLimit(.minutes(15)))
struct CurlTLSTests {
    private let nginx: Nginx

    init() async throws {
        nginx = try await Nginx.shared.value
    }

    private func transport(
        _ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        try CurlTransport.trusting(nginx.file("authority.pem"), change)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try nginx.file(name), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What becomes of a GET.
    private func get(_ url: String, over transport: CurlTransport) async -> Recorder {
        let (recorder, exchange) = send(url, over: transport)
        _ = await recorder.finished()
        withExtendedLifetime(exchange) {}
        return recorder
    }

    @Test("negotiates HTTP/2, or HTTP/1.1 with old servers or on request, and tells so")
    func versions() async throws {
        for host in ["localhost", "127.0.0.1"] {
            let modern = await get(nginx.url(.modern, host: host), over: try transport())
            #expect(modern.ending == .whole)
            #expect(modern.text == "HTTP/2.0  ")
            #expect(modern.head?.connection?.httpVersion == "2")
            #expect(modern.head?.connection?.tlsDuration != nil)
            let old = await get(nginx.url(.old, host: host), over: try transport())
            #expect(old.text == "HTTP/1.1  ")
            #expect(old.head?.connection?.httpVersion == "1.1")
        }
        let older = try transport { $0.httpVersion = .http1Only }
        #expect(await get(nginx.url(.modern), over: older).text == "HTTP/1.1  ")
    }

    @Test(
        "sends nothing to a server with a certificate that isn't good, and says what is wrong",
        arguments: [
            (Nginx.Site.elsewhere, "no alternative certificate subject name matches"),
            (.expired, "expired"),
            (.address, "no alternative certificate subject name matches"),
            (.anyName, "no alternative certificate subject name matches"),
            (.outdated, "protocol"),
        ]
    )
    func badCertificates(site: Nginx.Site, words: String) async throws {
        let transport = try transport()
        for _ in 0..<2 {
            let recorder = await get(nginx.url(site), over: transport)
            #expect(recorder.ending == .failed(.secureConnection))
            #expect(recorder.head == nil)
            let reason = recorder.error.map { "\($0)" } ?? ""
            #expect(reason.contains(words), "\(reason)")
        }
        guard site == .address else { return }
        #expect(await get(nginx.url(site, host: "127.0.0.1"), over: transport).ending == .whole)
    }

    @Test("trusts no authority but those it has")
    func untrusted() async throws {
        for roots in [
            CurlTransport.TLS.Roots.system, .only(try nginx.file("stranger.pem")), .only(Data()),
        ] {
            let stranger = try transport { $0.tls.roots = roots }
            let ending = await get(nginx.url(.modern), over: stranger).ending
            #expect(ending == .failed(.secureConnection))
        }
    }

    @Test("requires the minimum version of TLS")
    func minimum() async throws {
        let newest = try transport { $0.tls.minimumVersion = .tls13 }
        #expect(await get(nginx.url(.modern), over: newest).ending == .whole)
    }

    @Test("sends nothing to a server without a pinned key", arguments: [Nginx.Site.modern, .old])
    func pinning(site: Nginx.Site) async throws {
        let (right, wrong) = (try text("server.pin"), try "sha256/" + text("client.pin"))
        let good = try transport { $0.tls.pinnedPublicKeys = [wrong, right] }
        #expect(await get(nginx.url(site), over: good).ending == .whole)
        let bad = try transport { $0.tls.pinnedPublicKeys = [wrong] }
        for _ in 0..<2 {
            let recorder = await get(nginx.url(site), over: bad)
            #expect(recorder.ending == .failed(.secureConnection))
            #expect(recorder.head == nil)
        }
        // A pin is no trust.
        let untrusted = try transport {
            $0.tls.roots = .system
            $0.tls.pinnedPublicKeys = [right]
        }
        #expect(await get(nginx.url(site), over: untrusted).ending == .failed(.secureConnection))
        let unreadable = try transport { $0.tls.pinnedPublicKeys = ["abc"] }
        #expect(await get(nginx.url(site), over: unreadable).ending == .failed(.unsupported))
    }

    @Test("shows its certificate to a server that asks, and fails without one")
    func clientCertificates() async throws {
        let own = try transport {
            $0.tls.clientCertificate = .init(
                chain: try nginx.file("client.pem"),
                key: try nginx.file("client.key")
            )
        }
        let recorder = await get(nginx.url(.mutual), over: own)
        #expect(recorder.ending == .whole)
        #expect(recorder.text.contains("CN=client"))
        // nginx itself refuses a request without a certificate.
        let none = await get(nginx.url(.mutual), over: try transport())
        #expect(none.head?.status == 400)
        let mixed = try transport {
            $0.tls.clientCertificate = .init(
                chain: try nginx.file("client.pem"),
                key: try nginx.file("server.key")
            )
        }
        #expect(await get(nginx.url(.mutual), over: mixed).ending == .failed(.secureConnection))
    }

    @Test("reads an encrypted key with its password, and fails without it")
    func encryptedKey() async throws {
        for (password, ending) in [
            (nil, .failed(.secureConnection)), ("", .failed(.secureConnection)),
            ("wrong", .failed(.secureConnection)), ("s3cret", .whole),
        ] as [(String?, Ending)] {
            let transport = try transport {
                $0.tls.clientCertificate = .init(
                    chain: try nginx.file("client.pem"),
                    key: try nginx.file("client.locked.key"),
                    password: password
                )
            }
            #expect(await get(nginx.url(.mutual), over: transport).ending == ending)
        }
    }

    /// A request on a connection that died before libcurl could read its GOAWAY may have been processed.
    @Test("shares a connection of HTTP/2 among calls, and loses none unnoticed when it ends")
    func shared() async throws {
        struct Upload: Request {
            typealias ResponseObjectType = String
            let path = ""
            let method: HTTPMethod = .post
            var body: RequestBody? { .raw(Data("abc".utf8)) }
        }
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: nginx.url(.brief))),
            transport: try transport(),
            retryingCount: 0
        )
        endpoint.maximumConcurrentRequestsPerHost = 50
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do throws(ErrorResponse<ServerMessage>) {
                        return try await endpoint.value(for: Upload())
                    } catch {
                        guard case .transport(let cause) = error, cause.kind == .connectionLost
                        else { return "\(error)" }
                        return "lost"
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes.values.reduce(0, +) == 200 && outcomes["HTTP/2.0  3", default: 0] > 0)
        #expect(Set(outcomes.keys).isSubset(of: ["HTTP/2.0  3", "lost"]))
    }

    /// When an exchange of ``canceled()`` is canceled.
    private enum Moment: CaseIterable {
        case begun, later, started, head, body, paused, never
    }

    @Test("ends each canceled exchange once at any moment, and no other over HTTP/2 with it")
    func canceled() async throws {
        let transport = try transport()
        let problems = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(worker))
                    var problems: [String] = []
                    for _ in 0..<40 {
                        let moment = Moment.allCases.randomElement(using: &generator) ?? .begun
                        let turns = Int.random(in: 0..<60, using: &generator)
                        let problem = await cancel(at: moment, after: turns, over: transport)
                        if let problem { problems.append("\(moment): \(problem)") }
                    }
                    return problems
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(problems == [])
        #expect(await get(nginx.url(.modern, "/large"), over: transport).received == 200_000)
    }

    /// Sends a request and cancels it; says what was wrong.
    private func cancel(
        at moment: Moment,
        after turns: Int,
        over transport: CurlTransport
    ) async -> String? {
        let exchange = NIOLockedValueBox<(any TransportExchange)?>(nil)
        let isPaused = NIOLockedValueBox(false)
        let recorder = Recorder { event in
            let exchange = exchange.withLockedValue { $0 }
            switch (moment, event) {
            case (.started, .started), (.head, .head), (.body, .body):
                exchange?.cancel()
            case (.paused, .head):
                _ = exchange?.pause()
                isPaused.withLockedValue { $0 = true }
            case (.paused, .finished): isPaused.withLockedValue { $0 = true }
            default: break
            }
        }
        let request = EncodedRequest(
            url: URL(string: nginx.url(.modern, "/large")) ?? URL(fileURLWithPath: "/"),
            method: .get,
            headers: [:]
        )
        let sent = transport.send(request, to: recorder)
        exchange.withLockedValue { $0 = sent }
        switch moment {
        case .begun: sent.cancel()
        case .later, .paused:
            if moment == .paused { await eventually { isPaused.withLockedValue { $0 } } }
            for _ in 0..<turns { await Task.yield() }
            sent.cancel()
        // An event that came before the exchange was known cancels nothing.
        case .started, .head, .body, .never: break
        }
        switch await recorder.finished() {
        case .cancelled: return moment == .never ? "canceled" : nil
        case .whole where recorder.received == 200_000: return nil
        case let ending: return "\(String(describing: ending)), \(recorder.received) bytes"
        }
    }

    @Test(
        "ends an upload with an early response, and leaves no dead connection behind",
        arguments: [200, 401]
    )
    func early(status: Int) async throws {
        let transport = try transport()
        for _ in 0..<280 {
            let body = CountedBody(length: 300_000)
            let url = nginx.url(.modern, "/early\(status)")
            let (recorder, exchange) = send(url, .post, body: body.source(), over: transport)
            #expect(
                await recorder.finished() == .whole,
                "\(String(describing: recorder.error?.reason)) \(recorder.order)"
            )
            #expect(recorder.head?.status.rawValue == status)
            withExtendedLifetime(exchange) {}
        }
    }
}

extension CurlTransport {
    /// A transport that trusts an authority of a test.
    static func trusting(
        _ authority: Data,
        _ change: (inout Configuration) throws -> Void = { _ in }
    ) rethrows -> CurlTransport {
        var configuration = Configuration()
        configuration.tls.roots = .only(authority)
        // However long a test is kept from going on by others.
        configuration.idleConnectionLifetime = .seconds(3_600)
        try change(&configuration)
        return CurlTransport(configuration: configuration)
    }
}

extension Recorder {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
