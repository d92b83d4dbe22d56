import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

@Suite("SHA-512/256")
struct SHA512t256Tests {
    @Test(
        "matches the examples of FIPS 180-4",
        arguments: [
            ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
                    + "lmnopqrsmnopqrstnopqrstu",
                "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21"
            ),
        ]
    )
    func published(message: String, digest: String) {
        // By themselves: a failure would print a message of a million bytes.
        let isRight =
            SHA512t256.digest(of: Array(message.utf8)).hexadecimal == digest
        #expect(isRight)
    }

    @Test("matches another implementation for messages of all lengths")
    func lengths() {
        #expect(
            DigestVectors.digestOfShort(upTo: 260, SHA512t256.digest)
                == "7c2e3d264ea196b3b2e7159e0684e34f09f1c3a2528630512f1c4d5ad1a1de92"
        )
        #expect(
            DigestVectors.digestOfLong(SHA512t256.digest)
                == "30c5533c663022db464054cd937346a33c39851b2e37c5985f3b257a23cb7334"
        )
    }
}

@Suite("Incremental hashing")
struct HashedMessageTests {
    @Test("matches the whole message's digest", arguments: [1, 3, 63, 64, 65, 127, 128, 200, 1000])
    func pieces(size: Int) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        func digest<H: BlockHash>(_ hash: H.Type) -> [UInt8] {
            var hashed = HashedMessage<H>()
            var rest = message[...]
            while !rest.isEmpty {
                hashed.add(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            return hashed.digest
        }
        #expect(digest(MD5.self) == MD5.digest(of: message))
        #expect(digest(SHA256.self) == SHA256.digest(of: message))
        #expect(digest(SHA512t256.self) == SHA512t256.digest(of: message))
    }
}
