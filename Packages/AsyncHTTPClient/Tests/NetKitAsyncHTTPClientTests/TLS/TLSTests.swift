import Foundation
import NetKit
import NetKitAsyncHTTPClient
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("TLS with a real nginx", .timeLimit(.minutes(15)))
struct TLSTests {
    private let nginx: Nginx

    init() async throws {
        nginx = try await Nginx.shared.value
    }

    /// A transport that trusts the authority of the test.
    private func transport(
        _ change: (inout AsyncHTTPClientTransport.Configuration) throws -> Void = { _ in }
    ) throws -> AsyncHTTPClientTransport {
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.tls.roots = .only(try Certificates(pem: nginx.file("authority.pem")))
        try change(&configuration)
        return AsyncHTTPClientTransport(configuration: configuration)
    }

    /// What becomes of a GET, and the text of the response.
    private func get(
        _ url: String,
        over transport: AsyncHTTPClientTransport
    ) async -> (ending: Ending?, text: String) {
        let (recorder, exchange) = send(url, over: transport)
        defer { withExtendedLifetime(exchange) {} }
        let ending = await recorder.finished()
        return (ending, String(decoding: recorder.body, as: UTF8.self))
    }

    @Test("negotiates HTTP/2, or HTTP/1.1 with old servers or on request")
    func versions() async throws {
        for host in ["localhost", "127.0.0.1"] {
            let modern = await get(nginx.url(.modern, host: host), over: try transport())
            #expect(modern.ending == .whole)
            #expect(modern.text == "HTTP/2.0  ")
            let old = await get(nginx.url(.old, host: host), over: try transport())
            #expect(old.text == "HTTP/1.1  ")
        }
        let older = try transport { $0.usesHTTP2 = false }
        #expect(await get(nginx.url(.modern), over: older).text == "HTTP/1.1  ")
        let more = try transport {
            $0.tls.roots = .systemAndAdditional(try Certificates(pem: nginx.file("authority.pem")))
        }
        #expect(await get(nginx.url(.modern), over: more).text == "HTTP/2.0  ")
    }

    @Test(
        "rejects expired, untrusted and other hosts' certificates with the reason",
        arguments: [Nginx.Site.elsewhere, .expired]
    )
    func badCertificates(site: Nginx.Site) async throws {
        #expect(
            await get(nginx.url(site), over: try transport()).ending == .failed(.secureConnection)
        )
        for roots in [
            TLSSettings.Roots.system, .only(try Certificates(pem: nginx.file("stranger.pem"))),
        ] {
            let stranger = try transport { $0.tls.roots = roots }
            let untrusted = await get(nginx.url(.modern), over: stranger)
            #expect(untrusted.ending == .failed(.secureConnection))
        }
    }

    @Test("says that a certificate is one of other hosts")
    func otherHost() async throws {
        let (recorder, exchange) = send(nginx.url(.elsewhere), over: try transport())
        #expect(await recorder.finished() == .failed(.secureConnection))
        #expect(recorder.error?.reason == "the server's certificate is not one of this host")
        withExtendedLifetime(exchange) {}
    }

    @Test(
        "rejects a certificate with only the host's IP address or a bare wildcard",
        arguments: [Nginx.Site.address, .anyName, .nameless],
        [true, false]
    )
    func otherNames(site: Nginx.Site, usesHTTP2: Bool) async throws {
        let transport = try transport { $0.usesHTTP2 = usesHTTP2 }
        for _ in 0..<2 {
            let (recorder, exchange) = send(nginx.url(site), over: transport)
            #expect(await recorder.finished() == .failed(.secureConnection))
            #expect(
                recorder.error.map { "\($0)" } == "the server's certificate is not one of this host"
            )
            withExtendedLifetime(exchange) {}
        }
        guard site == .address else { return }
        let (recorder, exchange) = send(nginx.url(site, host: "127.0.0.1"), over: transport)
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime(exchange) {}
    }

    @Test("requires TLS 1.2 or later, unless configured")
    func versionOfTLS() async throws {
        #expect(TLSSettings().minimumVersion == .tls12)
        let modern = await get(nginx.url(.outdated), over: try transport())
        #expect(modern.ending == .failed(.secureConnection))
        let old = await get(
            nginx.url(.outdated),
            over: try transport { $0.tls.minimumVersion = .tls11 }
        )
        #expect(old.ending == .whole)
        let newest = await get(
            nginx.url(.modern),
            over: try transport { $0.tls.minimumVersion = .tls13 }
        )
        #expect(newest.ending == .whole)
    }

    @Test("sends nothing to a server without a pinned key", arguments: [Nginx.Site.modern, .old])
    func pinning(site: Nginx.Site) async throws {
        let right = try PublicKeyPin(base64: text("server.pin"))
        let wrong = try PublicKeyPin(base64: "sha256/" + text("client.pin"))
        let good = try transport { $0.tls.pinnedPublicKeys = [wrong, right] }
        #expect(await get(nginx.url(site), over: good).ending == .whole)
        let bad = try transport { $0.tls.pinnedPublicKeys = [wrong] }
        for _ in 0..<3 {
            let (recorder, exchange) = send(nginx.url(site), over: bad)
            #expect(await recorder.finished() == .failed(.secureConnection))
            #expect(
                recorder.error.map { "\($0)" } == "the server's public key is none of those pinned"
            )
            #expect(recorder.order == "sf")
            withExtendedLifetime(exchange) {}
        }
        // A pin is no trust.
        let untrusted = try transport {
            $0.tls.roots = .system
            $0.tls.pinnedPublicKeys = [right]
        }
        #expect(await get(nginx.url(site), over: untrusted).ending == .failed(.secureConnection))
        // Without TLS there is no key.
        #expect(await get(nginx.url(.plain), over: bad).ending == .whole)
        await bad.shutdown()
    }

    @Test("presents a client certificate, required by the server")
    func clientCertificate() async throws {
        let good = try transport { configuration in
            configuration.tls.clientCertificate = try ClientCertificate(
                chain: nginx.file("client.pem"),
                key: nginx.file("client.key")
            )
        }
        let known = await get(nginx.url(.mutual), over: good)
        #expect(known.text == "HTTP/1.1 CN=client ")
        // nginx has a page of its own for these, a 400.
        let unknown = await get(nginx.url(.mutual), over: try transport())
        #expect(unknown.text.contains("No required SSL certificate was sent"))
        let impostor = try transport { configuration in
            configuration.tls.clientCertificate = try ClientCertificate(
                chain: nginx.file("impostor.pem"),
                key: nginx.file("impostor.key")
            )
        }
        let refused = await get(nginx.url(.mutual), over: impostor)
        #expect(refused.text.contains("The SSL certificate error"))
    }

    @Test(
        "says that a client certificate's private key is another one's",
        arguments: ["localhost", "127.0.0.1"]
    )
    func otherKey(host: String) async throws {
        let transport = try transport { configuration in
            configuration.tls.clientCertificate = try ClientCertificate(
                chain: nginx.file("client.pem"),
                key: nginx.file("impostor.key")
            )
        }
        let (recorder, exchange) = send(nginx.url(.mutual, host: host), over: transport)
        #expect(await recorder.finished() == .failed(.secureConnection))
        #expect(
            recorder.error?.reason == "the client certificate and its private key do not match"
        )
        withExtendedLifetime(exchange) {}
    }

    @Test("rejects invalid settings at creation")
    func settings() throws {
        let nonsense = Data("nonsense".utf8)
        #expect(throws: InvalidTLSSettings.self) { try Certificates(pem: nonsense) }
        #expect(throws: InvalidTLSSettings.self) { try Certificates(pem: Data()) }
        #expect(throws: InvalidTLSSettings.self) {
            try ClientCertificate(chain: nginx.file("client.pem"), key: nonsense)
        }
        #expect(throws: InvalidTLSSettings.self) { try PublicKeyPin(sha256: Data(count: 31)) }
        #expect(throws: InvalidTLSSettings.self) { try PublicKeyPin(base64: "sha256/?") }
    }

    @Test("reads a pin as base64 prints it, with a newline", arguments: ["", "sha256/"])
    func printedPin(prefix: String) throws {
        let hash = Data(repeating: 7, count: 32)
        let pin = try PublicKeyPin(base64: prefix + hash.base64EncodedString() + "\n")
        #expect(pin.sha256 == hash)
    }

    @Test("skips trailers of HTTP/2 and HTTP/1.1, announced or not")
    func trailers() async throws {
        let transport = try transport()
        for site in [Nginx.Site.modern, .old, .plain] {
            for path in ["/trailers", "/announced"] {
                let (recorder, exchange) = send(nginx.url(site, path), over: transport)
                #expect(await recorder.finished() == .whole)
                withExtendedLifetime(exchange) {}
                #expect(recorder.received == 200_000)
                #expect(recorder.head?.headers["X-Sum"] == nil)
            }
        }
    }

    @Test("sends uploads over HTTP/2 with their length, and streams without one")
    func uploads() async throws {
        let transport = try transport()
        for size in [0, 5, 70_000, 3_000_000] {
            let body = BodySource(Data(count: size))
            let (recorder, exchange) = send(
                nginx.url(.modern, "/up"),
                .post,
                body: body,
                over: transport
            )
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
            let text = String(decoding: recorder.body, as: UTF8.self)
            #expect(text.hasSuffix("  \(size)") || size == 0 && text.hasSuffix("  "), "\(text)")
            #expect((recorder.sent.last ?? 0) == Int64(size))
        }
    }

    @Test("sends more calls than the server allows on one HTTP/2 connection")
    func manyCalls() async throws {
        // After 1,000 requests nginx closes a connection.
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: nginx.url(.modern))),
            transport: try transport(),
            retryingCount: 1
        )
        endpoint.maximumConcurrentRequestsPerHost = 16
        let texts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var count = 0
                    for _ in 0..<150 {
                        let text = try await endpoint.value(
                            for: TextRequest(path: "x", method: .get)
                        )
                        count += text == "HTTP/2.0  " ? 1 : 0
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(texts == 2_400)
    }

    /// What URLSession on Linux can do of this: refuse.
    ///
    /// It has the system's authorities alone, and neither pins nor client certificates.
    @Test(
        "rejects an untrusted certificate over URLSession",
        arguments: [Nginx.Site.modern, .elsewhere, .expired, .mutual]
    )
    func overURLSession(site: Nginx.Site) async throws {
        let recorder = Recorder()
        let url = try #require(URL(string: nginx.url(site)))
        let request = EncodedRequest(url: url, method: .get)
        let exchange = URLSessionTransport().send(request, to: recorder)
        #expect(await recorder.finished() == .failed(.secureConnection))
        withExtendedLifetime(exchange) {}
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try nginx.file(name), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
