import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "matches the examples of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
                    + "lmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
    )
    func published(message: String, digest: String) {
        // By themselves: a failure would print a message of a million bytes.
        let isRight = SHA256.digest(of: Array(message.utf8)).hexadecimal == digest
        #expect(isRight)
    }

    @Test("matches another implementation for messages of all lengths")
    func lengths() {
        #expect(
            DigestVectors.digestOfShort(SHA256.digest)
                == "969b9f993f9c27e8424a46288c5b7999eee502a7befa92cad6cfef1034d76c51"
        )
        #expect(
            DigestVectors.digestOfLong(SHA256.digest)
                == "4d29afd2c13d3071810223438a2614467f36eb7e04646fd08a856b49ca906a6d"
        )
    }
}
