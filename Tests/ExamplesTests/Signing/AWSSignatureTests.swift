import Foundation
import NetKit
import NetKitTesting
import Testing

@testable import Examples

@Suite("AWSSignature")
struct AWSSignatureTests {
    private static let date = Date(timeIntervalSince1970: 1_440_938_160)

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    /// A signature with the keys of Amazon's test suite.
    private func signature(
        home: String,
        service: String = "service",
        token: String? = nil
    ) throws -> AWSSignature<Examples.SHA256> {
        AWSSignature(region: "us-east-1", service: service, home: try url(home), now: { Self.date })
        {
            AWSCredentials(
                accessKey: "AKIDEXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: token
            )
        }
    }

    /// A signature with the keys and the time of S3's documentation.
    private func documented(home: String) throws -> AWSSignature<Examples.SHA256> {
        AWSSignature(
            region: "us-east-1",
            service: "s3",
            home: try url(home),
            now: { Date(timeIntervalSince1970: 1_369_353_600) },
            credentials: {
                AWSCredentials(
                    accessKey: "AKIAIOSFODNN7EXAMPLE",
                    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
                )
            }
        )
    }

    // MARK: Published signatures

    struct Example: Sendable, CustomTestStringConvertible {
        let method: HTTPMethod
        let target: String
        var headers: HTTPHeaders = [:]
        var body: String?
        let names: String
        let signature: String

        var testDescription: String { "\(method) \(target)" }
    }

    @Test(
        "computes the signatures of the S3 documentation",
        arguments: [
            Example(
                method: .get,
                target: "/test.txt",
                headers: ["Range": "bytes=0-9"],
                names: "host;range;x-amz-content-sha256;x-amz-date",
                signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            Example(
                method: .put,
                target: "/test$file.text",
                headers: [
                    "Date": "Fri, 24 May 2013 00:00:00 GMT",
                    "X-Amz-Storage-Class": "REDUCED_REDUNDANCY",
                ],
                body: "Welcome to Amazon S3.",
                names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            Example(
                method: .get,
                target: "/?lifecycle",
                names: "host;x-amz-content-sha256;x-amz-date",
                signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
            ),
            Example(
                method: .get,
                target: "/?max-keys=2&prefix=J",
                names: "host;x-amz-content-sha256;x-amz-date",
                signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ]
    )
    func storage(_ example: Example) async throws {
        let origin = "https://examplebucket.s3.amazonaws.com"
        let request = EncodedRequest(
            url: try url(origin + example.target),
            method: example.method,
            headers: example.headers,
            body: example.body.map { BodySource(Data($0.utf8)) }
        )
        let signed = try await documented(home: origin).signed(request)
        #expect(
            signed.headers[.authorization] == """
                AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
                SignedHeaders=\(example.names), Signature=\(example.signature)
                """
        )
    }

    @Test(
        "computes the signatures of Amazon's test suite",
        arguments: [
            Example(
                method: .get,
                target: "/",
                names: "host;x-amz-date",
                signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
            ),
            Example(
                method: .get,
                target: "/?Param2=value2&Param1=value1",
                names: "host;x-amz-date",
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
            Example(
                method: .get,
                target: "//example//",
                names: "host;x-amz-date",
                signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"
            ),
            Example(
                method: .get,
                target: "/",
                headers: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
                names: "host;my-header1;my-header2;x-amz-date",
                signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
            ),
            Example(
                method: .post,
                target: "/",
                headers: [.contentType: "application/x-www-form-urlencoded"],
                body: "Param1=value1",
                names: "content-type;host;x-amz-date",
                signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
            ),
        ]
    )
    func service(_ example: Example) async throws {
        let origin = "https://example.amazonaws.com"
        let request = EncodedRequest(
            url: try url(origin + example.target),
            method: example.method,
            headers: example.headers,
            body: example.body.map { BodySource(Data($0.utf8)) }
        )
        let signed = try await signature(home: origin).signed(request)
        let authorization = try #require(signed.headers[.authorization])
        #expect(
            authorization.hasSuffix(
                "SignedHeaders=\(example.names), Signature=\(example.signature)"
            )
        )
        #expect(signed.headers["X-Amz-Date"] == "20150830T123600Z")
        #expect(signed.headers["X-Amz-Content-SHA256"] == nil)
    }

    @Test("computes the presigned URL of the S3 documentation")
    func presigned() async throws {
        let origin = "https://examplebucket.s3.amazonaws.com"
        let presigned = try await documented(home: origin)
            .presigned(url("\(origin)/test.txt"), lifetime: .seconds(86_400))
        #expect(
            presigned.absoluteString == """
                \(origin)/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
                &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
                &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
                """
        )
    }

    // MARK: What is signed is sent

    @Test(
        "sends the URL in the spelling that is signed",
        arguments: [
            ("http://h/a+b!(c)", "http://h/a%2Bb%21%28c%29"),
            ("http://h/%7e%2f%C3%a9?q=a+b%2B&flag&&e=", "http://h/~%2F%C3%A9?q=a%20b%2B&flag&e="),
            ("http://h//a//b/../%2e%2e/c/.", "http://h//a/c/"),
            ("http://user:secret@H:80?x=a=b#top", "http://h/?x=a%3Db"),
            ("https://h:80/a", "https://h:80/a"),
        ]
    )
    func spelling(_ written: String, _ sent: String) async throws {
        let request = EncodedRequest(url: try url(written), method: .get)
        let signed = try await signature(home: written, service: "s3").signed(request)
        #expect(signed.url.absoluteString == sent)
    }

    @Test("signs a method in the spelling that is sent")
    func method() async throws {
        var signatures: [String?] = []
        for method in [HTTPMethod.get, .custom("get"), .custom("Get-All")] {
            let request = EncodedRequest(url: try url("http://h/"), method: method)
            let signed = try await signature(home: "http://h").signed(request)
            signatures.append(signed.headers[.authorization])
        }
        #expect(signatures[1] == signatures[0])
        #expect(signatures[2] != signatures[0])
    }

    @Test("joins repeated fields, which transports send in different ways, and keeps their marks")
    func repeats() async throws {
        var headers: HTTPHeaders = ["X-Amz-Meta-A": "1"]
        headers.append("2", for: "X-Amz-Meta-A")
        headers.set("X-Amz-Meta-Key", to: "a", isSensitive: true)
        headers.append("b", for: "X-Amz-Meta-Key")
        let request = EncodedRequest(url: try url("http://h/"), method: .get, headers: headers)
        let signed = try await signature(home: "http://h").signed(request)
        #expect(signed.headers.values(for: "X-Amz-Meta-A") == ["1, 2"])
        #expect(signed.headers.values(for: "X-Amz-Meta-Key") == ["a, b"])
        #expect(signed.headers.isSensitive("X-Amz-Meta-Key"))
        #expect(!signed.headers.isSensitive("X-Amz-Meta-A"))
    }

    @Test("signs no field that a transport or a proxy may change")
    func changingFields() async throws {
        let headers: HTTPHeaders = [
            .userAgent: "Notes/1", "Accept-Encoding": "br", "TE": "trailers",
        ]
        let request = EncodedRequest(url: try url("http://h/"), method: .get, headers: headers)
        let signed = try await signature(home: "http://h").signed(request)
        #expect(signed.headers[.authorization]?.contains("SignedHeaders=host;x-amz-date,") == true)
    }

    @Test("uses the hash that the request has, and doesn't open its body")
    func ownHash() async throws {
        struct Opened: Error {}
        let request = EncodedRequest(
            url: try url("http://h/"),
            method: .put,
            headers: ["X-Amz-Content-SHA256": "UNSIGNED-PAYLOAD"],
            body: BodySource(length: 5) { throw Opened() }
        )
        let signed = try await signature(home: "http://h", service: "s3").signed(request)
        #expect(signed.headers.values(for: "X-Amz-Content-SHA256") == ["UNSIGNED-PAYLOAD"])
        let other = EncodedRequest(url: request.url, method: .put, body: request.body)
        await #expect(throws: Opened.self) { try await signature(home: "http://h").signed(other) }
    }

    @Test("hashes a body in pieces of 64 KiB, and closes it")
    func pieces() async throws {
        let body = Pieces(length: 200_000)
        let request = EncodedRequest(
            url: try url("http://h/"),
            method: .put,
            body: BodySource(length: 200_000) { body }
        )
        let signed = try await signature(home: "http://h", service: "s3").signed(request)
        #expect(body.largest == 65_536)
        #expect(body.isClosed)
        // printf 'a%.0s' {1..200000} | sha256sum
        #expect(
            signed.headers["X-Amz-Content-SHA256"]
                == "2287d207f24a941ff3b56c04c8a25ad56b63e3023207b3bb5b4ac0c9869d74be"
        )
    }

    // MARK: Credentials stay at home

    @Test(
        "leaves a request to another origin unsigned",
        arguments: [
            "http://example.com/", "https://example.com:8443/", "https://example.com.evil.net/",
            "https://evil.net/example.com",
        ]
    )
    func otherOrigins(_ text: String) async throws {
        let request = EncodedRequest(url: try url(text), method: .get)
        let signed = try await signature(home: "https://EXAMPLE.com:443/base", token: "t")
            .signed(request)
        #expect(signed.headers.isEmpty)
    }

    @Test("signs a request to another origin if the rule allows its URL")
    func allowedOrigin() async throws {
        var signature = try signature(home: "https://example.com")
        signature.signsElsewhere = {
            $0.scheme == "https" && $0.host?.hasSuffix(".amazonaws.com") == true
        }
        let targets = [
            ("https://b.s3.amazonaws.com/", true), ("http://b.s3.amazonaws.com/", false),
            ("https://evilamazonaws.com/", false), ("https://example.com/", true),
        ]
        for (text, isSigned) in targets {
            let request = EncodedRequest(url: try url(text), method: .get)
            let signed = try await signature.signed(request)
            #expect((signed.headers[.authorization] != nil) == isSigned, "\(text)")
        }
    }

    @Test("leaves a presigned URL as it is")
    func alreadySigned() async throws {
        let signature = try signature(home: "http://h", service: "s3", token: "a token/")
        let presigned = try await signature.presigned(url("http://h/a"))
        #expect(presigned.absoluteString.contains("&X-Amz-Security-Token=a%20token%2F&"))
        let signed = try await signature.signed(EncodedRequest(url: presigned, method: .get))
        #expect(signed.headers.isEmpty)
        #expect(signed.url == presigned)
    }

    @Test("marks the token and the signature as sensitive")
    func marks() async throws {
        let request = EncodedRequest(url: try url("http://h/"), method: .get)
        let signed = try await signature(home: "http://h", token: "secret token").signed(request)
        #expect(signed.headers["X-Amz-Security-Token"] == "secret token")
        #expect(signed.headers.isSensitive("X-Amz-Security-Token"))
        #expect(signed.headers.isSensitive(.authorization))
    }
}

/// A body of equal letters.
private final class Pieces: BodyReader, @unchecked Sendable {
    // Proof: one test reads it.
    private var rest: Int
    private(set) var largest = 0
    private(set) var isClosed = false

    init(length: Int) {
        rest = length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        largest = max(largest, buffer.count)
        let count = min(rest, buffer.count)
        for index in 0..<count { buffer[index] = UInt8(ascii: "a") }
        rest -= count
        return count
    }

    func close() {
        isClosed = true
    }
}
