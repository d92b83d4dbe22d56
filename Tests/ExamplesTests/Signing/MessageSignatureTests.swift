import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import Examples

@Suite("MessageSignature", .timeLimit(.minutes(15)))
struct MessageSignatureTests {
    /// The key `test-shared-secret` of RFC 9421, appendix B.1.5.
    private static let key = Data(
        base64Encoded:
            "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
    )

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    private func signature(
        home: URL,
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_618_884_473) }
    ) throws -> MessageSignature<Examples.SHA256> {
        let key = Array(try #require(Self.key))
        return MessageSignature(keyID: "test-shared-secret", home: home, now: now) { text in
            Data(hmac(key, Array(text)))
        }
    }

    @Test("signs the request of RFC 9421, appendix B.2.5")
    func published() async throws {
        var signature = try signature(home: try url("https://example.com"))
        signature.components = ["date", "@authority", "content-type"]
        let request = EncodedRequest(
            url: try url("https://EXAMPLE.com:443/foo?param=Value&Pet=dog"),
            method: .post,
            headers: [
                "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json",
            ],
            body: BodySource(Data(#"{"hello": "world"}"#.utf8))
        )
        let headers = try await signature.signed(request).headers
        #expect(
            headers["Signature-Input"]
                == #"sig=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
        )
        #expect(headers["Signature"] == "sig=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
        #expect(headers.isSensitive("Signature"))
    }

    @Test("covers the method, the target and the body's digest, and no field that is missing")
    func components() async throws {
        var signature = try signature(home: try url("http://example.com:8080"))
        signature.algorithm = "hmac-sha256"
        let request = EncodedRequest(
            url: try url("http://example.com:8080/a%20b?q=1"),
            method: .put,
            body: BodySource(Data(#"{"hello": "world"}"#.utf8))
        )
        let headers = try await signature.signed(request).headers
        let digest = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
        #expect(headers["Content-Digest"] == digest)
        let parameters =
            #"("@method" "@authority" "@path" "@query" "content-digest")"#
            + #";created=1618884473;keyid="test-shared-secret";alg="hmac-sha256""#
        #expect(headers["Signature-Input"] == "sig=\(parameters)")
        let text = """
            "@method": PUT
            "@authority": example.com:8080
            "@path": /a%20b
            "@query": ?q=1
            "content-digest": \(digest)
            "@signature-params": \(parameters)
            """
        let expected = Data(hmac(Array(try #require(Self.key)), Array(text.utf8)))
        #expect(headers["Signature"] == "sig=:\(expected.base64EncodedString()):")
    }

    @Test("signs a method in the spelling that is sent")
    func method() async throws {
        let signature = try signature(home: try url("http://example.com"))
        var signatures: [String?] = []
        for method in [HTTPMethod.get, .custom("get"), .custom("Get-All")] {
            let request = EncodedRequest(url: try url("http://example.com/"), method: method)
            signatures.append(try await signature.signed(request).headers["Signature"])
        }
        #expect(signatures[1] == signatures[0])
        #expect(signatures[2] != signatures[0])
    }

    @Test("signs a retry and a redirect anew, with the digest of a part of a file")
    func exchanges() async throws {
        let server = try MockServer()
        server.enqueue(.status(503), .redirect(to: "/b", status: 307), .status(200))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(#"xx{"hello": "world"}xx"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let endpoint = Endpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
        let seconds = Locked(0.0)
        endpoint.interceptors = [
            try signature(home: server.baseURL) {
                Date(
                    timeIntervalSince1970: seconds.withLock {
                        $0 += 1; return $0
                    }
                )
            }
        ]
        try await endpoint.put("a", .file(file, range: 2..<20))
        let sent = server.requests
        #expect(sent.map(\.target) == ["/a", "/a", "/b"])
        for (index, request) in sent.enumerated() {
            #expect(request.text == #"{"hello": "world"}"#)
            let digest = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
            #expect(request.header("Content-Digest") == digest)
            #expect(request.header("Signature-Input")?.contains(";created=\(index + 1);") == true)
        }
        #expect(Set(sent.map { $0.header("Signature") }).count == 3)
    }

    @Test("leaves a request to another origin as it is")
    func foreign() async throws {
        let foreign = try MockServer()
        let server = try MockServer()
        foreign.enqueue(.status(200))
        server.enqueue(.redirect(to: foreign.url("/a").absoluteString, status: 307))
        let endpoint = Endpoint(baseURL: server.baseURL)
        endpoint.interceptors = [try signature(home: server.baseURL)]
        try await endpoint.put("a", .string("text"))
        #expect(server.requests.first?.header("Signature") != nil)
        let arrived = try #require(foreign.requests.first)
        #expect(arrived.text == "text")
        #expect(arrived.header("Signature") == nil)
    }
}

/// HMAC (RFC 2104) with SHA-256, for keys of up to 64 bytes.
private func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let block = key + Array(repeating: 0, count: 64 - key.count)
    let inner = digest(block.map { $0 ^ 0x36 } + message, by: Examples.SHA256.self)
    return digest(block.map { $0 ^ 0x5C } + inner, by: Examples.SHA256.self)
}

private func digest<Hash: MessageHash>(_ bytes: [UInt8], by hash: Hash.Type) -> [UInt8] {
    var hash = Hash()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
}
