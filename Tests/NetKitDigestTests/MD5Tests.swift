import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

@Suite("MD5")
struct MD5Tests {
    @Test(
        "matches RFC 1321, appendix A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                String(repeating: "1234567890", count: 8),
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ]
    )
    func published(message: String, digest: String) {
        #expect(MD5.digest(of: Array(message.utf8)).hexadecimal == digest)
    }

    @Test("matches another implementation for messages of all lengths")
    func lengths() {
        #expect(DigestVectors.digestOfShort(MD5.digest) == "df6954f2171934b3a1d651b1bf28ce12")
        #expect(DigestVectors.digestOfLong(MD5.digest) == "4c6453f62ad3e4773df15730c470c98d")
    }
}
