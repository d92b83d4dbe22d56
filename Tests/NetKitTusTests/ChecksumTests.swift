import Foundation
import NetKit
import Testing

@testable import NetKitTus

@Suite("Checksums of chunks")
struct ChecksumTests {
    /// The examples of FIPS 180-4, and lengths around a block, by Python's hashlib.
    @Test(
        "are those of the standard",
        arguments: [
            ("", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            ("abc", "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
        ]
    )
    func examples(text: String, sha1: String, sha256: String) throws {
        let source = BodySource(Data(text.utf8))
        for (algorithm, expected) in [(TusUpload.Checksum.sha1, sha1), (.sha256, sha256)] {
            #expect(Data(try algorithm.digest(of: source)).base64EncodedString() == expected)
        }
    }

    @Test(
        "pad messages of every length",
        arguments: [
            (55, "wci73CJ5bijA4VFj0giZtlYh1lo="), (56, "wtszD2CDhUyZ1LW/tujynyAb5pk="),
            (64, "AJi6gktcFkJ716ESKlpEKiXsZE0="), (1_000_000, "NKqXPNTE2qT2Husr260nMWU0AW8="),
        ]
    )
    func lengths(count: Int, expected: String) throws {
        let source = BodySource(Data(repeating: 0x61, count: count))
        let digest = try TusUpload.Checksum.sha1.digest(of: source)
        #expect(Data(digest).base64EncodedString() == expected)
    }

    @Test("end before the next read once the upload is stopped")
    func stop() {
        /// A body that never ends.
        final class Endless: BodyReader {
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { buffer.count }
            func close() {}
        }
        struct Stopped: Error {}
        let source = BodySource(length: .max) { Endless() }
        for algorithm in TusUpload.Checksum.allCases {
            var reads = 0
            #expect(throws: Stopped.self) {
                try algorithm.digest(of: source) {
                    guard reads < 3 else { throw Stopped() }
                    reads += 1
                }
            }
            #expect(reads == 3)
        }
    }
}
