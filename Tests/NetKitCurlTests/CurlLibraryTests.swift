import CLibcurl
import Foundation
import NetKit
import Testing

@testable import NetKitCurl

@Suite("Loaded libcurl")
struct CurlLibraryTests {
    /// A library of a version, with HTTP/2 and TLS unless told otherwise.
    private func withLibrary(
        _ version: UInt32,
        problem: String? = nil,
        isLoaded: Bool = true,
        hasHTTP2: Bool = true,
        hasHTTPSProxy: Bool = false,
        tls: String = "OpenSSL/3.0",
        _ body: (CurlLibrary) -> Void
    ) {
        var library = nk_curl_library()
        library.version = version
        library.has_http2 = hasHTTP2
        library.has_https_proxy = hasHTTPSProxy
        library.has_tls = true
        library.has_asynchronous_dns = true
        let parts = [version >> 16, version >> 8 & 0xFF, version & 0xFF]
        let text = parts.map { "\($0)" }.joined(separator: ".")
        text.withCString { text in
            tls
                .withCString { tls in
                    (problem ?? "")
                        .withCString { words in
                            library.version_text = isLoaded ? text : nil
                            library.tls_text = isLoaded ? tls : nil
                            library.problem = problem == nil ? nil : words
                            body(CurlLibrary(library))
                        }
                }
        }
    }

    private func refusal(
        of library: CurlLibrary,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> TransportError? {
        var configuration = CurlTransport.Configuration()
        change(&configuration)
        do throws(TransportError) {
            try library.check(for: configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test("that is missing or too old refuses every request, and says which one it is")
    func unusable() {
        withLibrary(0, problem: "libcurl.so.4: cannot open shared object file", isLoaded: false) {
            library in
            #expect(
                library.description == "no libcurl: libcurl.so.4: cannot open shared object file"
            )
            #expect(refusal(of: library)?.kind == .unsupported)
            #expect(refusal(of: library)?.message.contains("no libcurl") == true)
        }
        withLibrary(0x07_4300, problem: "it is too old: NetKitCurl needs 7.68 or later") {
            library in
            #expect(refusal(of: library)?.kind == .unsupported)
            let message = refusal(of: library)?.message ?? ""
            #expect(message.contains("libcurl 7.67.0: it is too old"), "\(message)")
        }
    }

    @Test("refuses a configuration that needs a later version or another feature")
    func missing() {
        let certificate = CurlTransport.TLS.ClientCertificate(chain: .init(), key: .init())
        withLibrary(0x07_4400, hasHTTP2: false) { library in
            #expect(library.description == "libcurl 7.68.0, OpenSSL 3.0")
            #expect(refusal(of: library) == nil)
            #expect(!library.hasRequestCheck)
            for change: (inout CurlTransport.Configuration) -> Void in [
                { $0.httpVersion = .http2PriorKnowledge }, { $0.httpVersion = .http3 },
                { $0.tls.clientCertificate = certificate }, { $0.tls.roots = .only(.init()) },
            ] {
                #expect(refusal(of: library, change)?.kind == .unsupported)
            }
        }
        withLibrary(0x07_4700) { library in
            #expect(refusal(of: library) { $0.tls.clientCertificate = certificate } == nil)
            #expect(refusal(of: library) { $0.tls.roots = .only(.init()) }?.kind == .unsupported)
        }
        for (tls, isTaken) in [
            ("GnuTLS/3.7.9", false), ("(OpenSSL/3.0.19) GnuTLS/3.7.9", false),
            ("(GnuTLS/3.7.9) OpenSSL/3.0.19", true), ("mbedTLS/3.6.0", true), ("", false),
        ] {
            withLibrary(0x08_0000, tls: tls) { library in
                let error = refusal(of: library) { $0.tls.clientCertificate = certificate }
                #expect((error == nil) == isTaken)
            }
        }
        for (version, losesEnds, separates) in [
            (UInt32(0x07_5700), false, true), (0x07_5800, true, true), (0x08_0001, true, true),
            (0x08_0100, false, false), (0x08_0601, false, false), (0x08_0700, false, true),
            (0x08_0701, false, true), (0x08_0800, false, false),
        ] {
            withLibrary(version) { library in
                #expect(library.losesEndOfStream == losesEnds)
                #expect(library.separatesStreams == separates)
                #expect(
                    library.sharesConnections == (version >= 0x07_5800 && version >> 8 != 0x0807)
                )
            }
        }
        for (version, missesEnds, waits) in [
            (UInt32(0x07_5700), false, false), (0x07_5801, true, false), (0x08_0500, true, false),
            (0x08_0600, false, false), (0x08_0C01, false, false), (0x08_0D00, false, true),
            (0x08_0E01, false, true), (0x08_1000, false, false),
        ] {
            withLibrary(version) { library in
                #expect(library.missesEnds == missesEnds)
                #expect(library.waitsForFirstResponse == waits)
            }
        }
        withLibrary(0x08_0000) { library in
            #expect(refusal(of: library) { $0.tls.roots = .only(.init()) } == nil)
            #expect(refusal(of: library) { $0.httpVersion = .http2PriorKnowledge } == nil)
            #expect(library.hasRequestCheck)
        }
    }

    @Test(
        "is asked for HTTP/2 in the way that leaves a server over TLS the choice",
        arguments: [
            (CurlTransport.HTTPVersion.automatic, NK_HTTP_VERSION_1_1, NK_HTTP_VERSION_2TLS),
            (.http1Only, NK_HTTP_VERSION_1_1, NK_HTTP_VERSION_1_1),
            (.http2PriorKnowledge, NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE, NK_HTTP_VERSION_2TLS),
            (.http3, NK_HTTP_VERSION_1_1, NK_HTTP_VERSION_3),
        ]
    )
    func versions(version: CurlTransport.HTTPVersion, plain: Int, secure: Int) {
        #expect(version.number(isSecure: false) == plain)
        let isOld = secure == NK_HTTP_VERSION_2TLS && !CurlLibrary.shared.sharesConnections
        #expect(version.number(isSecure: true) == (isOld ? NK_HTTP_VERSION_1_1 : secure))
    }

    @Test("uses the documented limits by default")
    func defaults() {
        let configuration = CurlTransport.Configuration()
        #expect(configuration.connectTimeout == .seconds(300))
        #expect(configuration.idleConnectionLifetime == .seconds(60))
        #expect(configuration.maximumConnectionsPerHost == 8)
        #expect(
            configuration.tls.minimumVersion == .tls12 && configuration.tls.pinnedPublicKeys.isEmpty
        )
        #expect(configuration.unixSocketPath == nil && configuration.localInterface == nil)
    }

    @Test("that can't be loaded has the loader's reason, which names the missing file")
    func missingFile() throws {
        var problem: UnsafePointer<CChar>?
        #expect(nk_library_open("libnetkit-missing.so.4", &problem) == nil)
        let words = String(cString: try #require(problem))
        #expect(words.contains("libnetkit-missing.so.4"))
        #expect(words != "libnetkit-missing.so.4")
    }

    @Test(
        "keeps connections for all descriptors but 128, or but half of them, and at least one",
        arguments: [
            (UInt64(0), 1), (1, 1), (64, 32), (256, 128), (1_024, 896), (65_664, 65_536),
            (1_048_576, 65_536), (.max, 65_536),
        ]
    )
    func keptConnections(descriptors: UInt64, maximum: Int) {
        #expect(nk_maximum_connections(descriptors) == maximum)
    }

    @Test(
        "refuses a proxy exactly if it needs TLS for it and has none",
        arguments: [
            ("https://p.test", true), ("HTTPS://p.test:8443", true), ("http://p.test", false),
            ("socks5h://p.test", false),
        ]
    )
    func proxies(url: String, needsTLS: Bool) {
        for hasTLS in [true, false] {
            withLibrary(0x08_0000, hasHTTPSProxy: hasTLS) { library in
                let problem = refusal(of: library) { $0.proxy = .url(testURL(url)) }
                #expect((problem == nil) == (hasTLS || !needsTLS))
                #expect(problem == nil || problem?.kind == .unsupported)
            }
        }
    }
}
